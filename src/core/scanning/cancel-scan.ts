import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { cancelJobs, listJobIds } from './queries/jobs.ts'
import { SCAN_QUEUE } from './queue-scan.ts'
import type { ScanJob } from './scan-job.ts'

const Id = z.guid()

/**
 * Ends one job, or all jobs of a library, as `cancelled`: at once, whoever works on it. The row is the sign: every write of a worker
 * begins by locking it, so from here on the worker, in whatever process, writes nothing more, and it looks at the row every second
 * to stop reading too. What it has stored stays.
 * @returns the jobs that were ended; none for an unknown id, and for a job that had ended before
 */
export async function cancelScan(
  { db, clock, jobs }: { db: Connection; clock: Clock; jobs?: JobQueue },
  which: { scanJobId: string } | { libraryId: string },
): Promise<ScanJob[]> {
  const id = 'libraryId' in which ? which.libraryId : which.scanJobId
  if (!Id.safeParse(id).success) return []
  const cancelled = await cancelJobs(db, { which, now: clock.now() })
  if (jobs === undefined) return cancelled
  // Jobs that waited for the one that ran; of a dead worker nobody else would wake them soon.
  for (const libraryId of new Set(cancelled.map((job) => job.libraryId))) {
    const [next] = await listJobIds(db, { status: 'queued', libraryId })
    if (next !== undefined) await jobs.enqueue(SCAN_QUEUE, { id: next })
  }
  return cancelled
}
