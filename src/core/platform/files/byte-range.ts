/** The byte range that a `Range` header requests; `start` and `end` are byte positions, both inclusive. */
export type ByteRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * Parses a `Range` header for a file of `sizeBytes` (RFC 9110, 14.1.2 and 14.2). Everything but one well-formed byte range (other units,
 * several ranges, bad syntax) is ignored: `whole`. A range that starts beyond the end, ends before it starts, or requests bytes of an empty
 * file is `unsatisfiable` (416).
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange {
  const match = header === undefined ? null : SINGLE_RANGE.exec(header)
  const first = match?.[1] ?? ''
  const last = match?.[2] ?? ''
  if (first === '' && last === '') return { kind: 'whole' }
  // Number() of many digits is imprecise or infinite, and in both cases larger than any file, so that the comparisons are correct.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  const isEmptySuffix = first === '' && Number(last) === 0
  if (isEmptySuffix || start > end) return { kind: 'unsatisfiable' }
  return { kind: 'part', start, end }
}
