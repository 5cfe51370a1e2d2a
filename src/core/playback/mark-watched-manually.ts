import { catalogueErrors } from '../catalogue/index.ts'
import { isRowId, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { markWatched, type UserItemKey } from '../user-items/index.ts'
import { lockItemsBelow, stopPlaybackStates } from './queries/manual-watched.ts'

/**
 * Marks an item as watched manually, a series or season with every episode. Started items are set to their end in every session, so that
 * continue-watching no longer offers them. No play is counted.
 * @throws AppError `media_item_not_found`
 */
export async function markWatchedManually(
  { db, clock }: { db: Database; clock: Clock },
  { profileId, itemId }: UserItemKey,
): Promise<void> {
  if (!isRowId(itemId)) throw catalogueErrors.media_item_not_found()
  await db.transaction(async (connection) => {
    // Lock order: items, states, marks, as in reports.
    const mediaItemIds = await lockItemsBelow(connection, itemId)
    await stopPlaybackStates(connection, { profileId, mediaItemIds })
    await markWatched({ db: connection, clock }, { profileId, itemId })
  })
}
