import type { LibraryType } from '../../../core/libraries/index.ts'
import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { ScanJob } from '../../../core/scanning/index.ts'

/** Library types whose rows have 0 in `items_added` and `items_removed`, because existing clients expect it. */
const TYPES_WITHOUT_COUNTS: ReadonlySet<LibraryType> = new Set(['movie', 'series', 'video'])

/**
 * A row of scan-status and scan-history. Times are `YYYY-MM-DD HH:MM:SS` in UTC. `added_count` and `removed_count` are the real numbers for
 * every library, also while the job runs.
 */
export function scanJobView(job: ScanJob, libraryType: LibraryType) {
  const hasCounts = !TYPES_WITHOUT_COUNTS.has(libraryType)
  return {
    id: job.id,
    library_id: job.libraryId,
    type: job.type,
    status: job.status,
    items_found: job.itemsFound,
    items_added: hasCounts ? job.itemsAdded : 0,
    items_updated: job.itemsUpdated,
    items_removed: hasCounts ? job.itemsRemoved : 0,
    items_failed: job.itemsFailed,
    added_count: job.itemsAdded,
    removed_count: job.itemsRemoved,
    current_path: job.currentPath,
    error: job.error,
    queued_at: timeView(job.queuedAt),
    started_at: timeView(job.startedAt),
    completed_at: timeView(job.completedAt),
  }
}

/** The 202 reply of endpoints that queue a job. If an equal job is already queued, its id is returned. */
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
  clear_artwork: 'Artwork clearing',
  delete_all: 'Deletion of all items',
}

function timeView(time: Date | null): string | null {
  return time === null ? null : toSqlTimestamp(time)
}
