import { createBatchLoader, isId, type Connection } from '../../platform/database/index.ts'
import { catalogueErrors } from '../errors.ts'
import { openItemFile, type OpenItemFile } from './open-item-file.ts'
import { selectFileLocations, type FileLocation } from '../queries/files.ts'

const readers = new WeakMap<Connection, (id: string) => Promise<FileLocation | undefined>>()

/**
 * Opens the file of an item without reading the rest of the item. Players request a film in thousands of ranges: concurrent requests
 * share a query, which begins after all of them have arrived.
 * @throws AppError `media_item_not_found`, and the errors of `openItemFile`
 */
export async function openMediaFile({ db }: { db: Connection }, id: string): Promise<OpenItemFile> {
  const read = readers.get(db) ?? createBatchLoader((ids: string[]) => selectFileLocations(db, ids))
  readers.set(db, read)
  const place = isId(id) ? await read(id.toLowerCase()) : undefined
  if (place === undefined) throw catalogueErrors.media_item_not_found()
  return openItemFile({ db }, place)
}
