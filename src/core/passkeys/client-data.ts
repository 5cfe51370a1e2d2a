import { decodeBase64 } from './base64.ts'

/** A few hundred bytes in practice; browsers may add fields (WebAuthn, 5.8.1). */
const CLIENT_DATA_BYTES = 8192

/**
 * The client data of an answer as base64url, as the library takes it, or undefined for what is too large, no JSON, or was made in a
 * frame of another site: the library does not look at `crossOrigin` at a registration, and lets it pass at a login without
 * `topOrigin`.
 */
export function readClientData(text: string): string | undefined {
  const bytes = decodeBase64(text, CLIENT_DATA_BYTES)
  if (bytes === undefined) return undefined
  const { crossOrigin, topOrigin } = JSON.parse(bytes.toString()) as { crossOrigin?: unknown; topOrigin?: unknown }
  const isFramed = (crossOrigin ?? false) !== false || topOrigin !== undefined
  return isFramed ? undefined : bytes.toString('base64url')
}
