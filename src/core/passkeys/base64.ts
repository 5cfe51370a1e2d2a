/** Standard and URL-safe alphabet; no characters after the padding. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/**
 * Decodes base64 of either alphabet, padded or not: some clients send standard base64, browsers use base64url.
 * @param maximumBytes checked before decoding
 * @returns undefined for other text, empty input and input above the limit
 */
export function decodeBase64(text: string, maximumBytes: number): Buffer | undefined {
  if (text.length > Math.ceil(maximumBytes / 3) * 4 || !BASE64.test(text)) return undefined
  // A single character after a group of four encodes six bits, which is less than a byte.
  if (text.replace(/={1,2}$/, '').length % 4 === 1) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.length <= maximumBytes ? bytes : undefined
}
