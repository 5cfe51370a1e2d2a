export const SCAN_JOB_TYPES = [
  'scan',
  'rescan',
  'metadata',
  'metadata_refresh',
  'clear_metadata',
  'clear_artwork',
  'delete_all',
  'prune',
  'markers',
  'trickplay',
  'source_backfill',
] as const

export const SCAN_JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export type ScanJobType = (typeof SCAN_JOB_TYPES)[number]

export type ScanJobStatus = (typeof SCAN_JOB_STATUSES)[number]

/** Background work on a library, as the API shows it (document 1, Scan job). */
export type ScanJob = {
  /** UUID. */
  id: string
  libraryId: string
  type: ScanJobType
  status: ScanJobStatus
  /** Media files seen so far; exact once the walk has ended, which is long before the job does. */
  itemsFound: number
  itemsAdded: number
  /** Files dealt with, changed or not: itemsUpdated / itemsFound is the progress. */
  itemsUpdated: number
  itemsRemoved: number
  /** Files that could not be read, and names that could not be used. */
  itemsFailed: number
  currentPath: string | null
  error: string | null
  queuedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** A job that waits or runs. `isAutomatic`: no person asked for it. */
export type ActiveScanJob = ScanJob & { isAutomatic: boolean }

/** What a job may be told beyond its type. */
export type ScanOptions = {
  /** Overrides the empty-folder, other-device and too-many-missing guards of a rescan (decisions 3.5). */
  force?: boolean | undefined
  /** Reads the tags of every file again; only music libraries use it. */
  readEveryFile?: boolean | undefined
  /** Most files that a backfill reads. */
  limit?: number | undefined
  /** No person asked for it: a first scan, or a match after a scan, which skips items that were searched for lately without result. */
  isAutomatic?: boolean | undefined
}

/** A job that this process has taken: `attempt` tells its writes from those of an earlier or later worker. */
export type ClaimedScanJob = ScanJob & {
  options: ScanOptions
  attempt: number
  /** Of a job that goes over the items of a library by id: the last one that was dealt with, by whichever worker. */
  cursor: string | null
  startedAt: Date
}
