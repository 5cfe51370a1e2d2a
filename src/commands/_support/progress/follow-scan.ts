import { setTimeout as pause } from 'node:timers/promises'
import type { Library } from '../../../core/libraries/index.ts'
import type { ActiveScanJob, QueueableType, ScanJob } from '../../../core/scanning/index.ts'
import type { Services } from '../../../core/services.ts'
import { scanFailure } from '../output/describe-scan.ts'
import { commandErrors } from '../errors.ts'
import { queueingServices } from '../queueing-services.ts'
import type { Progress } from './progress-status.ts'

export type ScanRequest = {
  library: Library
  type: QueueableType
  force: boolean
  readEveryFile?: boolean
  /** Maximum number of files that a backfill reads. */
  limit?: number | undefined
  /** Limits an analysis to an item with its episodes and further files. */
  itemId?: string | undefined
}

export type QueuedScan = {
  job: ScanJob
  /** Whether this process runs the job, because no server does. */
  isRunHere: boolean
}

/**
 * Queues a job, unless the library has a queued or running job and `force` is off. If no server runs, a running job of the same type is one
 * whose worker died; it is resumed, and no job is queued. The scan that is queued automatically with new folders of a library is returned
 * instead of a new job of the same type.
 * @throws AppError `library_busy`
 */
export async function requestScan(services: Services, request: ScanRequest): Promise<QueuedScan> {
  const { findActiveScan, isAnalysis, queueScan, recoverScanJobs } = await import('../../../core/scanning/index.ts')
  const { library, type, force, readEveryFile, limit, itemId } = request
  const kind = { isAnalysis: isAnalysis(type) }
  const { isServerRunning, queueing } = await queueingServices(services)
  const isRunHere = !isServerRunning
  const active = await findActiveScan(services, library.id, kind)
  if (active?.status === 'running' && isRunHere) {
    await recoverScanJobs({ db: services.db, connectionUri: services.connectionUri })
    const now = await findActiveScan(services, library.id, kind)
    if (now?.id === active.id && now.status === 'queued' && now.type === type) return { job: now, isRunHere }
  }
  if (active !== undefined && !force) {
    // A script that creates a library and scans it expects the first scan, which is already queued.
    if (active.isAutomatic && active.type === type && isServerRunning) return { job: active, isRunHere }
    if (!isWaitingForServer(active, isServerRunning)) throw busy(active, { isRunHere, ...kind })
  }
  const input = { libraryId: library.id, type, force, readEveryFile, limit, itemId }
  return { job: await queueScan(queueing, input), isRunHere }
}

/**
 * Whether a job was queued automatically and waits for a server. Such a job does not prevent a request: a request of the same type runs
 * the waiting job in this process; after a request of another type the job continues to wait.
 */
function isWaitingForServer({ isAutomatic, status }: ActiveScanJob, isServerRunning: boolean): boolean {
  return isAutomatic && status === 'queued' && !isServerRunning
}

function busy(active: ScanJob, { isRunHere, isAnalysis }: { isRunHere: boolean; isAnalysis: boolean }): Error {
  return commandErrors.library_busy({
    message: `The library already has a ${active.status} ${isAnalysis ? 'analysis' : 'scan'}`,
    hint: hintFor(active, { isRunHere, isAnalysis }),
    details: { job_id: active.id, status: active.status },
  })
}

/** For an analysis `--force` is not recommended: it does not only queue another analysis, but analyses everything again. */
function hintFor({ status }: ScanJob, { isRunHere, isAnalysis }: { isRunHere: boolean; isAnalysis: boolean }): string {
  if (isAnalysis) return 'Wait until it has ended; phlix library:status shows its progress.'
  const isStranded = status === 'queued' && isRunHere
  return isStranded
    ? 'No server runs the job; --force runs it in this command.'
    : 'Wait until it has ended, or queue another one with --force.'
}

/** Interval at which the row of a job in another process is read. */
const POLL_MILLISECONDS = 400
/** The number of these reads between two checks that a server still runs. */
const POLLS_PER_DAEMON_CHECK = 5

/**
 * Waits for the end of a job: runs it in this process, or polls its row while a server runs it. If the server stops, this process runs the
 * job. When the signal is aborted, a job in this process ends as cancelled; a job in a server continues.
 * @returns the final row, or the row at the time of the signal
 */
async function pollJob(
  services: Services,
  queued: QueuedScan,
  options: { signal: AbortSignal; onProgress: (job: ScanJob) => void },
): Promise<ScanJob> {
  const [{ getScanJob, runScanJob }, { isDaemonRunning }] = await Promise.all([
    import('../../../core/scanning/index.ts'),
    import('../../../core/daemon-lock.ts'),
  ])
  const { signal, onProgress } = options
  const scanJobId = queued.job.id
  let { isRunHere } = queued
  onProgress(queued.job)
  for (let polls = 1; ; polls += 1) {
    const job = isRunHere
      ? await runScanJob(services, { scanJobId, whenAborted: 'cancel' }, signal, onProgress)
      : await getScanJob(services, scanJobId)
    onProgress(job)
    if (hasEnded(job) || signal.aborted) return job
    await pause(POLL_MILLISECONDS, undefined, { signal }).catch(() => {})
    if (!isRunHere && polls % POLLS_PER_DAEMON_CHECK === 0) isRunHere = !(await isDaemonRunning(services))
  }
}

/**
 * Waits for the end of a job and shows its progress. Runs the job in this process if no server does.
 * @param options.timeoutSeconds time limit, after which a job in this process is cancelled and a job in a server continues
 * @throws InterruptedError; AppError `wait_timed_out`, `scan_failed`, `scan_root_unavailable`, `scan_cancelled`
 */
export async function followJob(
  services: Services,
  queued: QueuedScan,
  { signal, progress, timeoutSeconds }: { signal: AbortSignal; progress: Progress; timeoutSeconds: number | undefined },
): Promise<ScanJob> {
  const limit = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    const job = await pollJob(services, queued, {
      signal: limit === undefined ? signal : AbortSignal.any([signal, limit]),
      onProgress: ({ itemsFound, itemsUpdated, currentPath }) =>
        progress.update({ done: itemsUpdated, total: itemsFound === 0 ? null : itemsFound, currentPath }),
    })
    if (job.status !== 'completed') {
      signal.throwIfAborted()
      if (limit?.aborted === true) throw timedOut(job)
    }
    const failure = scanFailure(job)
    if (failure !== undefined) throw failure
    await progress.end({ job_id: job.id, status: job.status, found: job.itemsFound, added: job.itemsAdded })
    return job
  } catch (error) {
    await progress.end()
    throw error
  }
}

function timedOut(job: ScanJob): Error {
  return commandErrors.wait_timed_out({
    message: hasEnded(job) ? 'The wait timed out; the scan was cancelled' : 'The wait timed out; the scan continues',
    details: { job_id: job.id, status: job.status },
  })
}

function hasEnded(job: ScanJob): boolean {
  return job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled'
}
