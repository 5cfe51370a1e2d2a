import type { PublicJwk, ServerKey } from '../platform/keys/index.ts'
import { isoTimestampOrNull } from '../platform/time/index.ts'

/** The server's key: its entry in the public key set, and the path of its file. */
export function serverKeyView({ kid, createdAt }: ServerKey, { jwk, file }: { jwk: PublicJwk; file: string }) {
  return { kid, file, created_at: isoTimestampOrNull(createdAt), jwk }
}
