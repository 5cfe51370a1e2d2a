import type { Connection } from '../platform/database/index.ts'
import type { Photo } from '../probing/index.ts'
import { upsertPhotos } from './queries/write.ts'

/** What the headers of a picture say, and the item that it is. */
export type PhotoWrite = { itemId: string; photo: Photo }

/**
 * Writes what pictures say about themselves, in one statement; what was known of them is replaced. The items must be there. Albums by
 * day and lists by time go by these rows (document 1, Photo album).
 */
export async function writePhotos(connection: Connection, writes: readonly PhotoWrite[]): Promise<void> {
  if (writes.length > 0) await upsertPhotos(connection, writes)
}
