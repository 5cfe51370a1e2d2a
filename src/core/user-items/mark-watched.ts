import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { writeToExistingItem } from './write-to-existing-item.ts'
import { upsertWatchedAt } from './queries.ts'
import type { UserItemKey } from './user-data.ts'

/**
 * Marks an item as watched by a profile at the current time; manually, or because a play reached its end. For a series or season it
 * marks the episodes: the group counts as watched when all of them are.
 * @throws AppError `media_item_not_found`
 */
export async function markWatched({ db, clock }: { db: Connection; clock: Clock }, key: UserItemKey): Promise<void> {
  await writeToExistingItem(key.itemId, () => upsertWatchedAt(db, key, clock.now()))
}

/**
 * Removes the mark; for a series or season from every episode. Playback positions stay.
 * @throws AppError `media_item_not_found`
 */
export async function markUnwatched({ db }: { db: Connection }, key: UserItemKey): Promise<void> {
  await writeToExistingItem(key.itemId, () => upsertWatchedAt(db, key, null))
}
