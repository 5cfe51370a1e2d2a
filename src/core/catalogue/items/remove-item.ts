import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { enqueueItemEvents } from './enqueue-item-events.ts'
import { describeItems } from './describe-items.ts'
import { getItem } from './get-item.ts'
import { deleteItem } from '../queries/deletions.ts'

/**
 * Deletes an item from the catalogue with all descendants and user data. No file is touched; a rescan creates a new item for a file that
 * still exists. Webhooks receive an event for the item, not for its descendants.
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
