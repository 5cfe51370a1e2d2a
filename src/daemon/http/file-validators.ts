/** Validators of a file: `ETag` and `Last-Modified` (RFC 9110, 8.8). */
export type Validators = { etag: string; lastModified: string }

/** Strong validators of a file: size and modification time in nanoseconds. */
export function fileValidators({ size, mtimeNs }: { size: bigint; mtimeNs: bigint }): Validators {
  const lastModified = new Date(Number(mtimeNs / 1_000_000n)).toUTCString()
  return { etag: `"${size.toString(36)}-${mtimeNs.toString(36)}"`, lastModified }
}

type ConditionHeaders = { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined }

/**
 * Whether the client already has these bytes, which is answered with 304. `If-None-Match` has precedence over `If-Modified-Since` (RFC
 * 9110, 13.2.2).
 */
export function isUnchanged(headers: ConditionHeaders, { etag, lastModified }: Validators): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) return known.trim() === '*' || listOf(known).includes(etag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && Date.parse(lastModified) <= since
}

type Preconditions = { 'if-match'?: string | undefined; 'if-unmodified-since'?: string | undefined }

/**
 * Whether the client's preconditions hold; otherwise the answer is 412. `If-Match` uses strong comparison and has precedence over
 * `If-Unmodified-Since` (RFC 9110, 13.1.1, 13.1.4, 13.2.2).
 */
export function meetsPreconditions(headers: Preconditions, { etag, lastModified }: Validators): boolean {
  const expected = headers['if-match']
  if (expected !== undefined) return expected.trim() === '*' || tagsOf(expected).includes(etag)
  const since = Date.parse(headers['if-unmodified-since'] ?? '')
  return Number.isNaN(since) || Date.parse(lastModified) <= since
}

/** Whether a `Range` may be served: `If-Range` is absent or matches exactly these bytes (RFC 9110, 13.1.5). */
export function isRangeAllowed(ifRange: string | undefined, { etag, lastModified }: Validators): boolean {
  return ifRange === undefined || ifRange === etag || ifRange === lastModified
}

function listOf(header: string): string[] {
  return tagsOf(header).map((tag) => tag.replace(/^W\//, ''))
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim())
}
