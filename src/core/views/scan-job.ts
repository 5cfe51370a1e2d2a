import { toIsoTimestamp } from '../platform/time/index.ts'
import type { ScanJob } from '../scanning/index.ts'

type JobFormat = {
  /** The HTTP API writes these times in another format than the command line. */
  formatTime?: (time: Date) => string
  /** Off: `items_added` and `items_removed` are 0, as clients of the HTTP API expect it for some libraries. */
  hasItemCounts?: boolean
}

/** A job of a library. `added_count` and `removed_count` are real, also while the job runs. */
export function scanJobView(job: ScanJob, { formatTime = toIsoTimestamp, hasItemCounts = true }: JobFormat = {}) {
  return {
    id: job.id,
    library_id: job.libraryId,
    type: job.type,
    status: job.status,
    items_found: job.itemsFound,
    items_added: hasItemCounts ? job.itemsAdded : 0,
    items_updated: job.itemsUpdated,
    items_removed: hasItemCounts ? job.itemsRemoved : 0,
    items_failed: job.itemsFailed,
    added_count: job.itemsAdded,
    removed_count: job.itemsRemoved,
    current_path: job.currentPath,
    error: job.error,
    queued_at: formatTime(job.queuedAt),
    started_at: job.startedAt === null ? null : formatTime(job.startedAt),
    completed_at: job.completedAt === null ? null : formatTime(job.completedAt),
  }
}
