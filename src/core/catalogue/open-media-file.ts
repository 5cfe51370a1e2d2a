import { createBatchLoader, isId, type Connection } from '../platform/database/index.ts'
import { catalogueErrors } from './errors.ts'
import { openItemFile, type OpenItemFile } from './open-item-file.ts'
import { selectFilePlaces, type FilePlace } from './queries/files.ts'

const readers = new WeakMap<Connection, (id: string) => Promise<FilePlace | undefined>>()

/**
 * Opens the file of an item of which nothing else is wanted. Players ask for a film in thousands of pieces: those who ask at the same time
 * share a query, which begins after all of them have come.
 * @throws AppError `media_item_not_found`, and what `openItemFile` throws
 */
export async function openMediaFile({ db }: { db: Connection }, id: string): Promise<OpenItemFile> {
  const read = readers.get(db) ?? createBatchLoader((ids: string[]) => selectFilePlaces(db, ids))
  readers.set(db, read)
  const place = isId(id) ? await read(id.toLowerCase()) : undefined
  if (place === undefined) throw catalogueErrors.media_item_not_found()
  return openItemFile({ db }, place)
}
