export type ArchiveLimits = { archiveBytes: number; unpackedBytes: number; files: number; ratio: number }

/** What an archive of a plugin may have at most. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 64 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  files: 20_000,
  ratio: 200,
}

/** Small archives of text compress well; the ratio is checked only beyond this size. */
export const RATIO_FREE_BYTES = 4 * 1024 * 1024

/** Bytes that an archive of a size can unpack to at most. */
export function maximumUnpackedBytes(archiveBytes: number, limits: ArchiveLimits = ARCHIVE_LIMITS): number {
  return Math.min(limits.unpackedBytes, Math.max(RATIO_FREE_BYTES, limits.ratio * archiveBytes))
}
