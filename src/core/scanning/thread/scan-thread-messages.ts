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

/**
 * What the thread is told. `close`: no job is under way any more, and none will come. Each run has a number of its own: a job may be
 * put up again while it runs, and the second run finds it taken and ends first.
 */
export type ScanThreadTask =
  | { kind: 'run'; run: number; input: WorkInput }
  | { kind: 'abort'; run: number }
  | { kind: 'close' }

/** What the thread says: lines of its log, and how jobs ended. */
export type ScanThreadReport =
  | { kind: 'log'; line: string }
  | { kind: 'ended'; run: number; job: ScanJob; hasRun: boolean }
  /** Only a lost database and a job that is gone throw (see `workOnJob`). */
  | { kind: 'thrown'; run: number; message: string; known: KnownError | null }

/** What is left of an `AppError` between threads, where classes are lost. */
export type KnownError = { kind: ErrorKind; code: string; title: string }
