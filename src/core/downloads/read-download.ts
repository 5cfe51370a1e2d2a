import type { FileHandle } from 'node:fs/promises'
import { getItem, type MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { openInsideRoot } from '../platform/files/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { downloadFiles, downloadsDirectory } from './download-files.ts'
import type { Download } from './download.ts'
import { downloadErrors } from './errors.ts'
import { findDownloadRow, markDownloadUsed } from './queries.ts'

const USED_INTERVAL_MILLISECONDS = 3_600_000

/** The resource that the signature of the address of a download covers. */
export function downloadResource({ itemId, quality }: Pick<Download, 'itemId' | 'quality'>): string {
  return `/media/${itemId}/download/${quality}`
}

/**
 * A requested download.
 * @throws AppError `media_item_not_found`, `download_not_found`
 */
export async function findDownload(
  { db }: { db: Database },
  { itemId, quality }: { itemId: string; quality: string },
): Promise<Download & { item: MediaItemDetail }> {
  const item = await getItem({ db }, itemId)
  const found = await findDownloadRow(db, { itemId: item.id, quality })
  if (found === undefined) throw downloadErrors.download_not_found()
  return { ...found, item }
}

/**
 * Opens the file of a download that is ready. The caller closes it.
 * @returns `name`: under which it is saved; `durationSeconds`: of the film
 * @throws AppError `media_item_not_found`, `download_not_found`
 */
export async function openDownload(
  services: { db: Database; clock: Clock; config: Pick<Config, 'dataDirectory'> },
  wanted: { itemId: string; quality: string },
): Promise<{ handle: FileHandle; name: string; durationSeconds: number | null }> {
  const { db, clock, config } = services
  const { id, status, usedAt, quality, item } = await findDownload({ db }, wanted)
  if (status !== 'ready') throw downloadErrors.download_not_found()
  const handle = await openFilm(config, id)
  const now = clock.now()
  if (now.getTime() - usedAt.getTime() >= USED_INTERVAL_MILLISECONDS) await markDownloadUsed(db, { id, now })
  const name = `${item.name} (${quality}).mp4`.replaceAll('/', '-')
  return { handle, name, durationSeconds: item.durationSeconds }
}

async function openFilm(config: Pick<Config, 'dataDirectory'>, id: string): Promise<FileHandle> {
  try {
    return await openInsideRoot(downloadsDirectory(config), downloadFiles(config, id).film)
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'file_not_found'
    throw isMissing ? downloadErrors.download_not_found({ cause: error }) : error
  }
}
