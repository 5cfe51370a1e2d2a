/** Standard and URL-safe alphabet; what stands behind the padding is not base64. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/**
 * Bytes from base64 of either alphabet, padded or not (document 4, 1.7: clients send standard base64, the browser's own objects
 * carry base64url).
 * @param maximumBytes checked before anything is decoded
 * @returns undefined for other text, for nothing and for too much
 */
export function decodeBase64(text: string, maximumBytes: number): Buffer | undefined {
  if (text.length > Math.ceil(maximumBytes / 3) * 4 || !BASE64.test(text)) return undefined
  // One character beyond a group of four carries six bits: no byte.
  if (text.replace(/={1,2}$/, '').length % 4 === 1) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.length <= maximumBytes ? bytes : undefined
}
