/**
 * A header that a reader does not understand or trust. Caught inside this folder: reading ends with the reason, and the caller uses
 * ffprobe.
 */
export class UnsupportedHeader extends Error {}

/** Rejects a header. @throws UnsupportedHeader */
export function rejectHeader(reason: string): never {
  throw new UnsupportedHeader(reason)
}
