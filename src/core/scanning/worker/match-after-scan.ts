import { getLibrary, matchesAfterScan } from '../../libraries/index.ts'
import type { MetadataProviders } from '../../metadata/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { countMatchableEntities, isMatchable } from '../metadata/match-metadata.ts'
import { queueScan } from '../queue/queue-scan.ts'
import type { ScanJob } from '../job/scan-job.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; jobs?: JobQueue; metadata?: MetadataProviders }

/**
 * Queues a metadata match after a scan that added items, if a provider is configured, unmatched items exist and the library's option
 * `match_after_scan` is on. Matched items and recent misses are not looked up again. Errors are only logged, because the scan itself has
 * succeeded.
 * @returns the queued job; undefined if there is nothing to match
 */
export async function queueMatchAfterScan(services: Dependencies, ended: ScanJob): Promise<ScanJob | undefined> {
  const hasAdded = (ended.type === 'scan' || ended.type === 'rescan') && ended.itemsAdded > 0
  if (!hasAdded || ended.status !== 'completed') return undefined
  const { db, clock, log, metadata } = services
  try {
    const library = await getLibrary(services, ended.libraryId)
    if (metadata === undefined || !isMatchable(library, metadata) || !matchesAfterScan(library)) return undefined
    const count = await countMatchableEntities({ db, metadata }, { library, isForced: false, automaticAt: clock.now() })
    if (count === 0) return undefined
    return await queueScan(services, { libraryId: library.id, type: 'metadata', isAutomatic: true })
  } catch (error) {
    log.warning({ libraryId: ended.libraryId, reason: describeError(error) }, 'no match was queued after a scan')
    return undefined
  }
}
