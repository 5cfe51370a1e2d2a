import { getItem } from '../../catalogue/index.ts'
import { isRowId, type Connection } from '../../platform/database/index.ts'
import { subtitleErrors } from '../errors.ts'
import { deleteDownloadedSubtitle } from './queries.ts'

/**
 * Removes a downloaded text of an item.
 * @param input.trackId the id of the track; tracks of files cannot be removed
 * @throws AppError `media_item_not_found`, `subtitle_not_found`
 */
export async function removeDownloadedSubtitle(
  services: { db: Connection },
  { itemId, trackId }: { itemId: string; trackId: string },
): Promise<void> {
  const { id } = await getItem(services, itemId)
  const isRemoved = isRowId(trackId) && (await deleteDownloadedSubtitle(services.db, { itemId: id, id: trackId }))
  if (!isRemoved) throw subtitleErrors.subtitle_not_found()
}
