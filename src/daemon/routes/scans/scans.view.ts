import type { LibraryType } from '../../../core/libraries/index.ts'
import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { ScanJob } from '../../../core/scanning/index.ts'
import { scanJobView } from '../../../core/views/index.ts'

/** Library types whose rows have 0 in `items_added` and `items_removed`, because existing clients expect it. */
const TYPES_WITHOUT_COUNTS: ReadonlySet<LibraryType> = new Set(['movie', 'series', 'video'])

/**
 * A row of scan-status and scan-history. Times are `YYYY-MM-DD HH:MM:SS` in UTC. `added_count` and `removed_count` are the real numbers for
 * every library.
 */
export function scanStatusView(job: ScanJob, libraryType: LibraryType) {
  return scanJobView(job, { formatTime: toSqlTimestamp, hasItemCounts: !TYPES_WITHOUT_COUNTS.has(libraryType) })
}

/** The 202 reply of endpoints that queue a job. If an equal job is already queued, its id is returned. */
export function queuedJobView(job: ScanJob) {
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
