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

/** Jobs that read complete films and may run for hours. One such job may run at the same time as another job of the library. */
export const ANALYSIS_JOB_TYPES = ['markers', 'trickplay'] as const satisfies readonly (typeof SCAN_JOB_TYPES)[number][]

export const SCAN_JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export type ScanJobType = (typeof SCAN_JOB_TYPES)[number]

export type ScanJobStatus = (typeof SCAN_JOB_STATUSES)[number]

/** Background work on a library, as the API shows it. */
export type ScanJob = {
  /** UUID. */
  id: string
  libraryId: string
  type: ScanJobType
  status: ScanJobStatus
  /** Number of media files found so far. It is final when the directory walk ends, long before the job does. */
  itemsFound: number
  itemsAdded: number
  /** Processed files, changed or not: itemsUpdated / itemsFound is the progress. */
  itemsUpdated: number
  itemsRemoved: number
  /** Unreadable files and unusable names. */
  itemsFailed: number
  currentPath: string | null
  error: string | null
  queuedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** Returns whether the job is an analysis. An analysis and the other jobs of its library do not block each other. */
export function isAnalysis(type: ScanJobType): boolean {
  return ANALYSIS_JOB_TYPES.some((one) => one === type)
}

/** A waiting or running job. `isAutomatic`: not requested by a user. */
export type ActiveScanJob = ScanJob & { isAutomatic: boolean }

/** Options of a job. */
export type ScanOptions = {
  /** Overrides the empty-folder, other-device and too-many-missing guards of a rescan. */
  force?: boolean | undefined
  /** Reads the tags of every file again; supported by music libraries only. */
  readEveryFile?: boolean | undefined
  /** Maximum number of files that a backfill reads. */
  limit?: number | undefined
  /** Limits an analysis to an item, or to what belongs to a season or series. */
  itemId?: string | undefined
  /** Whether the job was not requested by a user: a scan of new folders, or a match after a scan, which skips items with a recent miss. */
  isAutomatic?: boolean | undefined
}

/** A job that this process has claimed. `attempt` distinguishes its writes from the writes of an earlier or later worker. */
export type ClaimedScanJob = ScanJob & {
  options: ScanOptions
  attempt: number
  /** For a job that iterates over a library's items by id: the last item that any worker has processed. */
  cursor: string | null
  startedAt: Date
}
