import type { Database } from '../../platform/database/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { scanErrors } from '../errors.ts'
import type { ScanJob } from '../job/scan-job.ts'
import { findJobOptions } from '../queries/jobs.ts'
import { getScanJob } from './list-scan-jobs.ts'
import { queueScan } from './queue-scan.ts'

/**
 * Queues the work of a failed or cancelled job again, with the same options, as a new job.
 * @throws AppError `scan_job_not_found`, `job_not_ended`
 */
export async function retryScanJob(
  services: { db: Database; clock: Clock; jobs?: JobQueue },
  id: string,
): Promise<ScanJob> {
  const job = await getScanJob(services, id)
  if (job.status !== 'failed' && job.status !== 'cancelled') {
    throw scanErrors.job_not_ended({ message: `The job is ${job.status}` })
  }
  const options = await findJobOptions(services.db, job.id)
  return queueScan(services, { ...options, libraryId: job.libraryId, type: job.type })
}
