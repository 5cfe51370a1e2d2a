const MEBIBYTE = 1024 * 1024
/** Size of the parts of small objects. The protocol requires at least 5 MiB; one part at a time is held in memory. */
const PART_BYTES = 8 * MEBIBYTE
const MAX_PARTS = 10_000

/** The size of the parts of an object in bytes, whole MiB. An object has at most 10,000 parts. */
export function computePartBytes(bytes: number): number {
  return Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS / MEBIBYTE) * MEBIBYTE)
}
