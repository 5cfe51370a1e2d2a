import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { ScanJob } from '../../../core/scanning/index.ts'

/** The row of scan-status and scan-history; its times are `YYYY-MM-DD HH:MM:SS` (document 1, Scan job). */
export function scanJobView(job: ScanJob) {
  // Document 1: added and removed are not streamed for movie libraries; they show when the job has ended.
  const hasEnded = job.completedAt !== null
  return {
    id: job.id,
    library_id: job.libraryId,
    type: job.type,
    status: job.status,
    items_found: job.itemsFound,
    items_added: hasEnded ? job.itemsAdded : 0,
    items_updated: job.itemsUpdated,
    items_removed: hasEnded ? job.itemsRemoved : 0,
    items_failed: job.itemsFailed,
    current_path: job.currentPath,
    error: job.error,
    queued_at: timeView(job.queuedAt),
    started_at: timeView(job.startedAt),
    completed_at: timeView(job.completedAt),
  }
}

/** The 202 reply of the endpoints that queue a job; an id that waited already is answered again. */
export function queuedScanView(job: ScanJob) {
  return { job_id: job.id, status: 'queued', message: `${MESSAGES[job.type] ?? 'Job'} queued` }
}

const MESSAGES: Readonly<Partial<Record<ScanJob['type'], string>>> = {
  scan: 'Scan',
  rescan: 'Rescan',
  prune: 'Prune',
  metadata: 'Metadata match',
  metadata_refresh: 'Metadata refresh',
  clear_metadata: 'Metadata clearing',
}

function timeView(time: Date | null): string | null {
  return time === null ? null : toSqlTimestamp(time)
}
