import { availableParallelism } from 'node:os'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { createGetLibraryPaths } from '../../libraries/index.ts'
import { openPool } from '../../platform/database/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { createBackgroundThrottle, lowerThreadPriority } from '../../platform/threads/index.ts'
import { createDiskThreads } from '../../platform/files/index.ts'
import { createLogger } from '../../platform/logging/index.ts'
import { createMediaTools } from '../../platform/media-tools/index.ts'
import { systemClock } from '../../platform/time/index.ts'
import { createReaderPool } from '../../probing/index.ts'
import { claimAndRunJob, type JobRunInput, type JobRunServices } from '../run/claim-and-run-job.ts'
import type { SerializedAppError, ScanThreadData, ScanThreadReport, ScanThreadTask } from './scan-thread-messages.ts'

/**
 * Entry point of the daemon's scan thread. Comparing, naming and writing a hundred thousand files occupies a thread for half a minute,
 * and requests must not wait for it. The thread has its own connections and readers; only its log goes through the main thread.
 */

/** Number of database connections: for one batch per job, the poll of the job's row, and the reconciliation. */
const CONNECTIONS = 4

async function serve(order: ScanThreadData, port: MessagePort): Promise<void> {
  const post = (report: ScanThreadReport): void => port.postMessage(report)
  const running = new Map<number, AbortController>()
  const opening = open(order, (line) => post({ kind: 'log', line }))
  const work = async (run: number, input: JobRunInput): Promise<void> => {
    const stop = new AbortController()
    running.set(run, stop)
    try {
      const { services } = await opening
      post({ kind: 'ended', run, ...(await claimAndRunJob(services, input, stop.signal)) })
    } catch (error) {
      post({ kind: 'thrown', run, message: describeError(error), known: knownError(error) })
    } finally {
      running.delete(run)
    }
  }
  port.on('message', (task: ScanThreadTask) => {
    if (task.kind === 'run') void work(task.run, task.input)
    else if (task.kind === 'abort') running.get(task.run)?.abort()
    else void opening.then(async (opened) => opened.close()).finally(() => port.close())
  })
  await opening
}

function knownError(error: unknown): SerializedAppError | null {
  return error instanceof AppError ? { kind: error.kind, code: error.code, title: error.title } : null
}

type Opened = { services: JobRunServices; close(): Promise<void> }

async function open(
  { config, connectionUri, logLevel }: ScanThreadData,
  onLine: (line: string) => void,
): Promise<Opened> {
  const withoutFile = { ...config, options: { ...config.options, 'logging.to_file': false } }
  const log = await createLogger(withoutFile, { level: logLevel, destination: { write: onLine } })
  const throttle = createBackgroundThrottle()
  const db = await openPool({ config, log, connectionUri, maxPoolSize: CONNECTIONS, throttle })
  const readers = createReaderPool({ threads: readerThreads() })
  const mediaTools = createMediaTools({ config, log })
  return {
    services: {
      db,
      getLibraryPaths: createGetLibraryPaths({ db }),
      diskThreads: createDiskThreads(),
      throttle,
      clock: systemClock,
      log,
      mediaTools,
      readers,
      connectionUri,
    },
    async close() {
      await readers.close()
      await db.end()
    },
  }
}

/** Number of reader threads. One processor stays free for requests. More than four threads read faster than one database writes. */
function readerThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

const port = parentPort
if (port !== null) {
  lowerThreadPriority()
  await serve(workerData as ScanThreadData, port)
}
