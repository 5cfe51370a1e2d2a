import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { writeToExistingItem } from './write-to-existing-item.ts'
import { upsertFavourite } from './queries.ts'
import type { UserItemKey } from './user-data.ts'

/**
 * Makes an item a favourite of a profile, or removes it from the favourites. Idempotent.
 * @throws AppError `media_item_not_found`
 */
export async function setFavourite(
  { db, clock }: { db: Connection; clock: Clock },
  { isFavourite, ...key }: UserItemKey & { isFavourite: boolean },
): Promise<void> {
  const since = isFavourite ? clock.now() : null
  await writeToExistingItem(key.itemId, () => upsertFavourite(db, key, since))
}
