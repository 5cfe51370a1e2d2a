import { rm } from 'node:fs/promises'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Download } from './download.ts'
import { downloadFiles, listDownloadFiles, removeDownloadFiles } from './download-files.ts'
import { downloadErrors } from './errors.ts'
import { deleteDownload, deleteUnwantedDownload, lockDownloadQueue, selectDownloads } from './queries.ts'

/** A download that was not read for this time is removed. */
const MAX_UNUSED_MILLISECONDS = 7 * 86_400_000
/** The row is written before the files, but another database may have been restored. */
const ORPHAN_MILLISECONDS = 3_600_000

type Services = { db: Database; config: Pick<Config, 'dataDirectory' | 'options'> }

export type DownloadStats = { files: number; bytes: number; limitBytes: number }

/** What a sweep has removed. */
export type DownloadSweepResult = { files: number; bytes: number }

/** The files of downloads on the disk, also those that are being made. */
export async function downloadStats({ config }: Pick<Services, 'config'>): Promise<DownloadStats> {
  const files = await listDownloadFiles(config)
  return { files: files.length, bytes: bytesOf(files), limitBytes: config.options['downloads.cache_bytes'] }
}

/**
 * Removes downloads that were not read for a week, unfinished downloads that no account wants, files without a download, and the least
 * recently used downloads above the limit.
 */
export async function sweepDownloads(services: Services & { clock: Clock }): Promise<DownloadSweepResult> {
  const { db, config, clock } = services
  const before = await downloadStats({ config })
  const now = clock.now().getTime()
  const rows = await selectDownloads(db)
  const isUnused = ({ usedAt, status }: (typeof rows)[number]): boolean =>
    (status === 'ready' || status === 'failed') && now - usedAt.getTime() > MAX_UNUSED_MILLISECONDS
  for (const row of rows.filter(isUnused)) await remove(services, row.id)
  // The accounts that wanted them were deleted.
  for (const id of await removeUnwanted(db, rows)) await removeDownloadFiles(downloadFiles(config, id))
  const known = new Set(rows.map(({ id }) => id))
  for (const { id, path, modifiedAt } of await listDownloadFiles(config)) {
    if (!known.has(id) && now - modifiedAt > ORPHAN_MILLISECONDS) await rm(path, { force: true })
  }
  await removeAbove(services, config.options['downloads.cache_bytes'])
  const after = await downloadStats({ config })
  return { files: Math.max(0, before.files - after.files), bytes: Math.max(0, before.bytes - after.bytes) }
}

/**
 * Removes the least recently used downloads until one that is being made has room.
 * @throws AppError `download_too_large` if it exceeds the limit alone
 */
export async function removeDownloadsForSpace(
  services: Services,
  { keepId, wantedBytes }: { keepId: string; wantedBytes: number },
): Promise<void> {
  const limit = services.config.options['downloads.cache_bytes']
  if (wantedBytes > limit) throw downloadErrors.download_too_large()
  await removeAbove(services, limit - wantedBytes, keepId)
}

/** Removes finished downloads, the least recently used first, until the others are within a limit. */
async function removeAbove({ db, config }: Services, limitBytes: number, keepId?: string): Promise<void> {
  const files = (await listDownloadFiles(config)).filter(({ id }) => id !== keepId)
  let bytes = bytesOf(files)
  if (bytes <= limitBytes) return
  for (const { id, status } of await selectDownloads(db)) {
    if (bytes <= limitBytes) return
    if (status !== 'ready' || id === keepId) continue
    bytes -= bytesOf(files.filter((file) => file.id === id))
    await remove({ db, config }, id)
  }
}

/** @returns the ids of the removed ones */
async function removeUnwanted(db: Database, rows: readonly Pick<Download, 'id'>[]): Promise<readonly string[]> {
  return db.transaction(async (connection) => {
    await lockDownloadQueue(connection)
    const removed: string[] = []
    for (const { id } of rows) if (await deleteUnwantedDownload(connection, id)) removed.push(id)
    return removed
  })
}

async function remove({ db, config }: Services, id: string): Promise<void> {
  await deleteDownload(db, id)
  await removeDownloadFiles(downloadFiles(config, id))
}

function bytesOf(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
