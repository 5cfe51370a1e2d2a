import { isRowId, type Connection } from '../../platform/database/index.ts'
import { catalogueErrors } from '../errors.ts'
import type { Chapter, MediaItem, MediaStream } from '../item/media-item.ts'
import { selectItem, selectItemStreams } from '../queries/select-items.ts'

/** Fields that only the detail has: the streams in file order, and the chapters by time. */
export type MediaItemDetail = MediaItem & { streams: MediaStream[]; chapters: Chapter[] }

/**
 * Reads one item with its streams and chapters.
 * @throws AppError `media_item_not_found`. An id that is not a UUID causes no query
 */
export async function getItem({ db }: { db: Connection }, id: string): Promise<MediaItemDetail> {
  const item = isRowId(id) ? await selectItem(db, id) : undefined
  if (item === undefined) throw catalogueErrors.media_item_not_found()
  return { ...item, streams: await selectItemStreams(db, item.id) }
}
