import { decodeBase64 } from './base64.ts'

/** Usually a few hundred bytes; browsers may add fields (WebAuthn, 5.8.1). */
const CLIENT_DATA_BYTES = 8192

/**
 * The client data of a response as base64url, the input format of the library. Undefined if it is not base64, is too large, or was
 * created in a frame of another site. Frames are checked here, because the library ignores `crossOrigin` during registration, and during
 * login accepts it if `topOrigin` is missing.
 * @throws if it is not JSON
 */
export function checkClientData(text: string): string | undefined {
  const bytes = decodeBase64(text, CLIENT_DATA_BYTES)
  if (bytes === undefined) return undefined
  const { crossOrigin, topOrigin } = JSON.parse(bytes.toString()) as { crossOrigin?: unknown; topOrigin?: unknown }
  const isFramed = (crossOrigin ?? false) !== false || topOrigin !== undefined
  return isFramed ? undefined : bytes.toString('base64url')
}
