import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { cancelScanJobs, listJobIdsByStatus } from '../queries/jobs.ts'
import { queueForJobType } from './queue-scan.ts'
import type { ScanJob } from '../job/scan-job.ts'

const Id = z.guid()

/**
 * Cancels one job, or all jobs of a library, immediately. The row is the signal: every write of a worker begins by locking it, so the
 * worker, in any process, writes nothing more. It also polls the row every second to stop reading. Stored results are kept.
 * @returns the cancelled jobs; empty for an unknown id and for a job that had already ended
 */
export async function cancelScan(
  { db, clock, jobs }: { db: Connection; clock: Clock; jobs?: JobQueue },
  which: { scanJobId: string } | { libraryId: string },
): Promise<ScanJob[]> {
  const id = 'libraryId' in which ? which.libraryId : which.scanJobId
  if (!Id.safeParse(id).success) return []
  const cancelled = await cancelScanJobs(db, { which, now: clock.now() })
  if (jobs === undefined) return cancelled
  // Wakes the queued jobs of the library. If the cancelled worker is dead, nothing else would wake them soon.
  for (const libraryId of new Set(cancelled.map((job) => job.libraryId))) {
    for (const { id: next, type } of await listJobIdsByStatus(db, { status: 'queued', libraryId })) {
      await jobs.enqueue(queueForJobType(type), { id: next })
    }
  }
  return cancelled
}
