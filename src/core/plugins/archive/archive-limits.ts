export type ArchiveLimits = { archiveBytes: number; unpackedBytes: number; files: number; ratio: number }

/** What an archive of a plugin may have at most. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  archiveBytes: 64 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  files: 20_000,
  ratio: 200,
}
