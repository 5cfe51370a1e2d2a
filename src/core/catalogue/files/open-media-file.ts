import type { GetLibraryPaths } from '../../libraries/index.ts'
import { createBatchLoader, isRowId, type Database } from '../../platform/database/index.ts'
import { catalogueErrors } from '../errors.ts'
import { openItemFile, type OpenItemFile } from './open-item-file.ts'
import { selectFileLocations } from '../queries/files.ts'

/**
 * Opens the file of an item without reading the rest of the item.
 * @throws AppError `media_item_not_found`, and the errors of `openItemFile`
 */
export type OpenMediaFile = (id: string) => Promise<OpenItemFile>

/**
 * Creates the function. Players request a film in thousands of ranges: concurrent requests share a query, which starts after the last of
 * them.
 */
export function createOpenMediaFile(services: { db: Database; getLibraryPaths: GetLibraryPaths }): OpenMediaFile {
  const read = createBatchLoader((ids: string[]) => selectFileLocations(services.db, ids))
  return async (id) => {
    const place = isRowId(id) ? await read(id.toLowerCase()) : undefined
    if (place === undefined) throw catalogueErrors.media_item_not_found()
    return openItemFile(services, place)
  }
}
