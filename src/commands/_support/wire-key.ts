import type { PublicJwk, ServerKey } from '../../core/platform/keys/index.ts'
import { isoTimestampOrNull } from '../../core/platform/time/index.ts'

/** The server's key as JSON: its entry in the public key set, and its file. */
export function wireKey({ kid, createdAt }: ServerKey, { jwk, file }: { jwk: PublicJwk; file: string }) {
  return { kid, file, created_at: isoTimestampOrNull(createdAt), jwk }
}
