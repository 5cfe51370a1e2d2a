import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { enqueueItemEvents } from './enqueue-item-events.ts'
import { describeItems } from './describe-items.ts'
import { getItem } from './get-item.ts'
import { deleteItem, selectShuffled } from './queries/episodes.ts'

/** Longer lists are not listened to in one go. */
const MAX_SHUFFLED = 1000

/**
 * Takes an item out of the catalogue with everything below it and all that people have said about it. No file is touched; a rescan
 * makes a new item of a file that is still there. Webhooks are told of the item, not of what was below it.
 * @throws AppError `media_item_not_found`
 */
export async function removeItem({ db, clock }: { db: Database; clock: Clock }, id: string): Promise<void> {
  const item = await getItem({ db }, id)
  await db.transaction(async (connection) => {
    const titles = (await describeItems({ db: connection }, [item.id])).map(({ title }) => title)
    if (!(await deleteItem(connection, item.id))) return
    const change = { change: 'item_removed', libraryId: item.libraryId, itemIds: [item.id], titles } as const
    await enqueueItemEvents(connection, change, clock.now())
  })
}

/**
 * What can be played of an item (an album, a season, a series), in an order that chance decides; at most 1,000.
 * @throws AppError `media_item_not_found`
 */
export async function shuffleItem({ db }: { db: Connection }, id: string): Promise<string[]> {
  const item = await getItem({ db }, id)
  return selectShuffled(db, { itemId: item.id, limit: MAX_SHUFFLED })
}
