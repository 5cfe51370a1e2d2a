import type { Config } from '../../platform/config/index.ts'
import type { ErrorKind } from '../../platform/errors/index.ts'
import type { ScanJob } from '../scan-job.ts'
import type { WorkInput } from '../work-on-job.ts'

/** What a scan thread is started with; the rest it opens itself. */
export type ScanThreadOrder = {
  config: Config
  connectionUri: string
  /** Lowest level that is logged. */
  logLevel: string
}

/** What the thread is told. `close`: no job is under way any more, and none will come. */
export type ScanThreadTask =
  | { kind: 'run'; input: WorkInput }
  | { kind: 'abort'; scanJobId: string }
  | { kind: 'close' }

/** What the thread says: lines of its log, and how jobs ended. */
export type ScanThreadReport =
  | { kind: 'log'; line: string }
  | { kind: 'ended'; scanJobId: string; job: ScanJob; hasRun: boolean }
  /** Only a lost database and a job that is gone throw (see `workOnJob`). */
  | { kind: 'thrown'; scanJobId: string; message: string; known: KnownError | null }

/** What is left of an `AppError` between threads, where classes are lost. */
export type KnownError = { kind: ErrorKind; code: string; title: string }
