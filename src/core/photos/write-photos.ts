import type { Connection } from '../platform/database/index.ts'
import type { PhotoWrite } from './photo.ts'
import { upsertPhotos } from './queries/write.ts'

/**
 * Writes the metadata of pictures in one statement and replaces earlier metadata. The items must exist. Albums by day and lists by time
 * are based on these rows.
 */
export async function writePhotos(connection: Connection, writes: readonly PhotoWrite[]): Promise<void> {
  if (writes.length > 0) await upsertPhotos(connection, writes)
}
