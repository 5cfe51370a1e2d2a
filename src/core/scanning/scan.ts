import type { Library } from '../libraries/index.ts'
import type { MetadataProviders } from '../metadata/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { MediaKind } from './media-kinds/media-kind.ts'
import type { GuardedRoot } from './root-guard.ts'
import type { SeenFolders } from './seen-folders.ts'
import type { ClaimedScanJob, ScanJob } from './scan-job.ts'

/** What a scan needs from outside. */
export type ScanServices = {
  db: Database
  clock: Clock
  log: Logger
  mediaTools: MediaTools
  readers: ReaderPool
  /** Whom to ask about films and series; without it nobody is. */
  metadata?: MetadataProviders
  /** How long a library folder may not answer before the job gives it up; a minute unless said. */
  silenceLimitMilliseconds?: number
}

/** Numbers of one job; they only go up, except that a move takes back the row it had added. */
export type ScanCounters = { found: number; added: number; updated: number; removed: number; failed: number }

/** One run of one job: what all phases share. `counters`, `unverified` and `seenFolders` are the only parts that change. */
export type Scan = {
  services: ScanServices
  job: ClaimedScanJob
  library: Library
  kind: MediaKind
  roots: readonly GuardedRoot[]
  /** Folders whose content is not known for sure; nothing at or below them may count as absent. */
  unverified: Set<string>
  /** Folders that the walk came by. */
  seenFolders: SeenFolders
  counters: ScanCounters
  signal: AbortSignal
  /** Told after every write. */
  onProgress: (job: ScanJob) => void
}
