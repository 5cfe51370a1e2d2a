import type { Worker } from 'node:worker_threads'
import type { Config } from '../../platform/config/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { startThread, type BackgroundThrottle } from '../../platform/threads/index.ts'
import { ScanThreadLost } from '../errors.ts'
import type { JobRunInput, JobOutcome } from '../run/claim-and-run-job.ts'
import { forwardLogLine } from './forward-log-line.ts'
import type { ScanThreadData, ScanThreadReport, ScanThreadTask } from './scan-thread-messages.ts'

/** A thread that runs scan jobs, so that requests to the server do not wait for them. */
export type ScanThread = {
  /**
   * Runs `claimAndRunJob` in the thread, which is started if necessary.
   * @throws ScanThreadLost if the thread ended before the job did; Error with the message of the error of `claimAndRunJob`
   */
  run(input: JobRunInput, signal: AbortSignal): Promise<JobOutcome>
  /** Ends the thread after its jobs have ended. Waits for its connections to close, up to a time limit. */
  close(): Promise<void>
}

export type ScanThreadInput = {
  config: Config
  log: Logger
  connectionUri: string
  throttle: Pick<BackgroundThrottle, 'resetBackgroundStatements'>
  /** A job that exceeds the limit terminates only the thread. */
  heapLimitMebibytes?: number
}

/** Idle time before the thread ends. Libraries are often scanned in sequence, and a start costs a third of a second. */
const IDLE_MILLISECONDS = 60_000

const CLOSE_TIMEOUT_MILLISECONDS = 2000

/** Rows and names are short-lived objects. */
const YOUNG_MEBIBYTES = 32

const HEAP_MEBIBYTES = 2048

type Waiting = { resolve(worked: JobOutcome): void; reject(error: Error): void }

/** `waiting`: pending runs by number. */
type Running = { worker: Worker; waiting: Map<number, Waiting>; idleTimer: NodeJS.Timeout | undefined }

/** Creates a scan thread. The thread is started by the first job, and ends after a minute without one. */
export function createScanThread(input: ScanThreadInput): ScanThread {
  let running: Running | undefined
  let runs = 0

  const start = (): Running => {
    const { config, log, connectionUri, heapLimitMebibytes = HEAP_MEBIBYTES } = input
    const order: ScanThreadData = { config, connectionUri, logLevel: log.level }
    const worker = startThread({
      file: 'scan-worker',
      from: import.meta,
      data: order,
      youngMebibytes: YOUNG_MEBIBYTES,
      heapMebibytes: heapLimitMebibytes,
    })
    const thread: Running = { worker, waiting: new Map(), idleTimer: undefined }
    const failThread = (reason: string): void => {
      if (running === thread) running = undefined
      clearTimeout(thread.idleTimer)
      for (const waiting of thread.waiting.values()) waiting.reject(new ScanThreadLost(reason))
      thread.waiting.clear()
    }
    worker.on('message', (report: ScanThreadReport) => handleReport(thread, report))
    worker.once('error', (error) => {
      log.error({ err: error }, 'the scan thread failed')
      failThread(error.message)
    })
    worker.once('exit', () => {
      input.throttle.resetBackgroundStatements()
      failThread('the scan thread ended')
    })
    return thread
  }

  const handleReport = (thread: Running, report: ScanThreadReport): void => {
    if (report.kind === 'log') {
      forwardLogLine(input.log, report.line)
      return
    }
    const waiting = thread.waiting.get(report.run)
    thread.waiting.delete(report.run)
    if (thread.waiting.size === 0) thread.idleTimer = setTimeout(() => void end(thread), IDLE_MILLISECONDS).unref()
    if (report.kind === 'ended') waiting?.resolve({ job: report.job, hasRun: report.hasRun })
    else waiting?.reject(errorOf(report))
  }

  const end = async (thread: Running): Promise<void> => {
    if (running === thread) running = undefined
    clearTimeout(thread.idleTimer)
    const ended = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()))
    postTask(thread, { kind: 'close' })
    const limit = setTimeout(() => void thread.worker.terminate(), CLOSE_TIMEOUT_MILLISECONDS)
    await ended
    clearTimeout(limit)
  }

  return {
    async run(task, signal) {
      const thread = (running ??= start())
      clearTimeout(thread.idleTimer)
      const run = (runs += 1)
      const abort = (): void => postTask(thread, { kind: 'abort', run })
      const worked = new Promise<JobOutcome>((resolve, reject) => thread.waiting.set(run, { resolve, reject }))
      postTask(thread, { kind: 'run', run, input: task })
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      try {
        return await worked
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    async close() {
      if (running !== undefined) await end(running)
    },
  }
}

function errorOf({ message, known }: Extract<ScanThreadReport, { kind: 'thrown' }>): Error {
  return known === null ? new Error(message) : new AppError({ ...known, message })
}

function postTask({ worker }: Running, task: ScanThreadTask): void {
  worker.postMessage(task)
}
