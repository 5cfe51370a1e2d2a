import type { Config } from '../../platform/config/index.ts'
import type { ErrorKind } from '../../platform/errors/index.ts'
import type { ScanJob } from '../job/scan-job.ts'
import type { JobRunInput } from '../run/claim-and-run-job.ts'

/** Start parameters of a scan thread; it opens everything else itself. */
export type ScanThreadData = {
  config: Config
  connectionUri: string
  /** Lowest level that is logged. */
  logLevel: string
}

/**
 * Messages to the thread. `close`: no job is running and none will follow. Each run has its own number, because the same job can be sent
 * twice: the second run finds the job already claimed and ends before the first.
 */
export type ScanThreadTask =
  | { kind: 'run'; run: number; input: JobRunInput }
  | { kind: 'abort'; run: number }
  | { kind: 'close' }

/** Messages from the thread: log lines and the results of jobs. */
export type ScanThreadReport =
  | { kind: 'log'; line: string }
  | { kind: 'ended'; run: number; job: ScanJob; hasRun: boolean }
  /** Only an unavailable database and a deleted job cause an exception (see `claimAndRunJob`). */
  | { kind: 'thrown'; run: number; message: string; known: SerializedAppError | null }

/** An `AppError` as it is sent between threads: structured cloning does not preserve classes. */
export type SerializedAppError = { kind: ErrorKind; code: string; title: string }
