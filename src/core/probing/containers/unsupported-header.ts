/**
 * Something in a file that a header reader does not understand, or does not trust. Never leaves this folder: the reading ends
 * with the reason, and ffprobe is asked instead.
 */
export class UnsupportedHeader extends Error {}

/** Ends the reading. @throws Doubt */
export function rejectHeader(reason: string): never {
  throw new UnsupportedHeader(reason)
}
