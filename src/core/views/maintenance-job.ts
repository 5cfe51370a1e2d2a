import type { MaintenanceJob } from '../maintenance/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** A run of a maintenance task. */
export function maintenanceJobView(job: MaintenanceJob) {
  return {
    id: job.id,
    task: job.task,
    status: job.status,
    params: job.params,
    result: job.result,
    error: job.error,
    requested_by: job.requestedBy,
    queued_at: toIsoTimestamp(job.queuedAt),
    started_at: isoTimestampOrNull(job.startedAt),
    completed_at: isoTimestampOrNull(job.completedAt),
  }
}
