import { enqueueItemEvents, describeItems } from '../../catalogue/index.ts'
import { hasSubscribers, LISTED_ITEMS } from '../../outbox/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import {
  allowLongStatements,
  countRemovals,
  countUpdatedItems,
  insertRemovals,
  selectAddedItems,
  selectUpdatedItems,
  deleteRemovalsReturning,
} from '../queries/changes.ts'
import type { ScanJob } from '../job/scan-job.ts'

/**
 * Records the items that a job is about to remove, at most the first hundred, for `enqueueChangeEvents`. Runs in the transaction that removes
 * them.
 */
export async function recordRemovals(
  connection: Connection,
  { jobId, ids }: { jobId: string; ids: readonly string[] },
): Promise<void> {
  const room = LISTED_ITEMS - (await countRemovals(connection, jobId))
  if (room <= 0 || ids.length === 0) return
  await insertRemovals(connection, { jobId, items: await describeItems({ db: connection }, ids.slice(0, room)) })
}

/**
 * Announces the changes of an ended job to webhooks and channels: one event each for added, removed and updated items, regardless of
 * their number. Runs in the transaction that ends the job.
 */
export async function enqueueChangeEvents(connection: Connection, job: ScanJob, now: Date): Promise<void> {
  const { libraryId, startedAt: since } = job
  if (since === null) return
  // Without subscribers the queries are skipped, because they read a whole library.
  if (!(await hasSubscribers(connection, 'library.updated'))) return discardRemovals(connection, job.id)
  await allowLongStatements(connection)
  const limit = LISTED_ITEMS
  if (job.itemsAdded > 0) {
    const itemIds = await selectAddedItems(connection, { libraryId, since, limit })
    const itemCount = itemIds.length < limit ? itemIds.length : Math.max(job.itemsAdded, limit)
    await enqueueItemEvents(connection, { change: 'item_added', libraryId, itemIds, itemCount }, now)
  }
  const removed = await deleteRemovalsReturning(connection, job.id)
  const titles = removed.map(({ title }) => title)
  const gone = { itemIds: removed.map(({ mediaItemId }) => mediaItemId), itemCount: Math.max(job.itemsRemoved, 1) }
  await enqueueItemEvents(connection, { change: 'item_removed', libraryId, titles, ...gone }, now)
  const updatedIds = await selectUpdatedItems(connection, { libraryId, since, limit })
  const itemCount =
    updatedIds.length < limit ? updatedIds.length : await countUpdatedItems(connection, { libraryId, since })
  await enqueueItemEvents(connection, { change: 'metadata_updated', libraryId, itemIds: updatedIds, itemCount }, now)
}

async function discardRemovals(connection: Connection, jobId: string): Promise<void> {
  await deleteRemovalsReturning(connection, jobId)
}
