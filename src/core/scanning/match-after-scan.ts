import { getLibrary, matchesAfterScan } from '../libraries/index.ts'
import type { MetadataProviders } from '../metadata/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { countMatchable, isMatchable } from './match-metadata.ts'
import { queueScan } from './queue-scan.ts'
import type { ScanJob } from './scan-job.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger; jobs?: JobQueue; metadata?: MetadataProviders }

/**
 * Queues a match after a scan that added something, where there is somebody to ask, something that has not been matched, and the library's
 * option `match_after_scan` is not off. What is matched already, or was asked about in vain lately, is not asked about again. Trouble is
 * for the log: the scan is done.
 * @returns the job that waits now; undefined when there is nothing to match
 */
export async function queueMatchAfterScan(services: Dependencies, ended: ScanJob): Promise<ScanJob | undefined> {
  const hasAdded = (ended.type === 'scan' || ended.type === 'rescan') && ended.itemsAdded > 0
  if (!hasAdded || ended.status !== 'completed') return undefined
  const { db, clock, log, metadata } = services
  try {
    const library = await getLibrary(services, ended.libraryId)
    if (metadata === undefined || !isMatchable(library, metadata) || !matchesAfterScan(library)) return undefined
    const count = await countMatchable({ db, metadata }, { library, isForced: false, automaticAt: clock.now() })
    if (count === 0) return undefined
    return await queueScan(services, { libraryId: library.id, type: 'metadata', isAutomatic: true })
  } catch (error) {
    log.warning({ libraryId: ended.libraryId, reason: describeError(error) }, 'no match was queued after a scan')
    return undefined
  }
}
