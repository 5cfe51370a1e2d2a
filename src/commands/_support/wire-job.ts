import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { ScanJob } from '../../core/scanning/index.ts'

/** A job as JSON, with the keys of the HTTP API. Times are ISO 8601. All counters are real, also while it runs. */
export function wireJob(job: ScanJob): Record<string, unknown> {
  return {
    id: job.id,
    library_id: job.libraryId,
    type: job.type,
    status: job.status,
    items_found: job.itemsFound,
    items_added: job.itemsAdded,
    items_updated: job.itemsUpdated,
    items_removed: job.itemsRemoved,
    items_failed: job.itemsFailed,
    added_count: job.itemsAdded,
    removed_count: job.itemsRemoved,
    current_path: job.currentPath,
    error: job.error,
    queued_at: toIsoTimestamp(job.queuedAt),
    started_at: isoTimestampOrNull(job.startedAt),
    completed_at: isoTimestampOrNull(job.completedAt),
  }
}

/** `running rescan, 42 %`; `completed scan`. */
export function describeJob(job: ScanJob): string {
  const share = job.itemsFound === 0 ? '' : `, ${Math.floor((100 * job.itemsUpdated) / job.itemsFound)} %`
  return `${job.status} ${job.type}${job.status === 'running' ? share : ''}`
}
