import { z } from 'zod'
import { catalogueErrors } from '../catalogue/index.ts'

const Id = z.guid()

/**
 * Runs a write that returns whether the item exists.
 * @throws AppError `media_item_not_found`; for an id that is not a UUID without the write
 */
export async function writeToExistingItem(itemId: string, write: () => Promise<boolean>): Promise<void> {
  const isWritten = Id.safeParse(itemId).success && (await write())
  if (!isWritten) throw catalogueErrors.media_item_not_found()
}
