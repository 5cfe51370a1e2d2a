import type { PictureStore, AnalysedFile } from '../../analysis/index.ts'
import type { GetLibraryPaths, Library } from '../../libraries/index.ts'
import type { MetadataProviders } from '../../metadata/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { DiskThreads } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { BackgroundThrottle } from '../../platform/threads/index.ts'
import type { ReaderPool } from '../../probing/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { MediaKind } from '../media-kinds/media-kind.ts'
import type { GuardedRoot } from './guarded-root.ts'
import type { VisitedFolders } from './visited-folders.ts'
import type { ClaimedScanJob, ScanJob } from './scan-job.ts'

/** The dependencies of a scan. */
export type ScanServices = {
  db: Database
  getLibraryPaths: GetLibraryPaths
  diskThreads: DiskThreads
  throttle: BackgroundThrottle
  clock: Clock
  log: Logger
  mediaTools: MediaTools
  readers: ReaderPool
  /** Providers of metadata; without them no provider is queried. */
  metadata?: MetadataProviders
  /** Keeps the pictures of time lines; without it none are made. */
  trickplay?: { begin(file: AnalysedFile): Promise<PictureStore> }
  /** Whether a player waits for an encoder; background work pauses meanwhile. */
  isPlayerWaiting?: () => boolean
  /** Time after which an unresponsive library folder is given up; a minute by default. */
  silenceLimitMilliseconds?: number
}

/** Counters of one job. They only increase, except that a detected move subtracts the row that it had added. */
export type ScanCounters = { found: number; added: number; updated: number; removed: number; failed: number }

/** The shared state of one run of a job. Only `counters`, `unverified` and `seenFolders` change. */
export type ScanState = {
  services: ScanServices
  job: ClaimedScanJob
  library: Library
  kind: MediaKind
  roots: readonly GuardedRoot[]
  /** Folders with unknown content; nothing at or below them may be treated as absent. */
  unverified: Set<string>
  /** Folders that the walk has visited. */
  seenFolders: VisitedFolders
  counters: ScanCounters
  signal: AbortSignal
  /** Called after every write. */
  onProgress: (job: ScanJob) => void
}
