import { getItem } from '../../catalogue/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { listTranscodedItemsWithoutTrickplay } from '../../streaming/index.ts'
import { findActiveScan } from './list-scan-jobs.ts'
import { queueScan } from './queue-scan.ts'

/**
 * Queues the pictures of the time line of items that were transcoded completely: one item of each library at a time, because two waiting
 * jobs of a library become one for all of its items.
 * @returns the number of queued jobs
 */
export async function queueTranscodedTrickplay(
  services: Parameters<typeof listTranscodedItemsWithoutTrickplay>[0] & { db: Database; clock: Clock; jobs?: JobQueue },
): Promise<number> {
  const libraries = new Set<string>()
  let queued = 0
  for (const itemId of await listTranscodedItemsWithoutTrickplay(services)) {
    const { libraryId } = await getItem(services, itemId)
    if (libraries.has(libraryId)) continue
    libraries.add(libraryId)
    if ((await findActiveScan(services, libraryId, { isAnalysis: true })) !== undefined) continue
    await queueScan(services, { libraryId, type: 'trickplay', itemId, isAutomatic: true })
    queued += 1
  }
  return queued
}
