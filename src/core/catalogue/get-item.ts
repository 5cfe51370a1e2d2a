import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import { catalogueErrors } from './errors.ts'
import type { MediaItem, MediaStream } from './media-item.ts'
import { selectItem, selectStreams } from './queries/read.ts'

export type MediaItemDetail = MediaItem & { streams: MediaStream[] }

const Id = z.guid()

/**
 * One item with its streams in file order.
 * @throws AppError `media_item_not_found`; for an id that is no UUID without a query (decisions 3.3)
 */
export async function getItem({ db }: { db: Connection }, id: string): Promise<MediaItemDetail> {
  const item = Id.safeParse(id).success ? await selectItem(db, id) : undefined
  if (item === undefined) throw catalogueErrors.media_item_not_found()
  return { ...item, streams: await selectStreams(db, item.id) }
}
