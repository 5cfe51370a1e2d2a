import type { EventBus } from '../platform/events/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import { beginMemoryIntensiveWork } from '../platform/threads/index.ts'
import { ScanThreadLost } from './errors.ts'
import { getScanJob } from './list-scans.ts'
import { queueMatchAfterScan } from './match-after-scan.ts'
import { SCAN_QUEUE } from './queue-scan.ts'
import { listJobIds } from './queries/jobs.ts'
import type { ScanJob, ScanJobType } from './scan-job.ts'
import type { ScanThread } from './thread/scan-thread.ts'
import { failLostJob, workOnJob, type WorkedJob, type WorkInput, type WorkServices } from './work-on-job.ts'

export type RunScanServices = WorkServices & {
  /** Where jobs that read whole libraries run; without it they run in this thread. */
  scanThread?: ScanThread
  jobs?: JobQueue
  events?: EventBus
}

export type RunScanInput = WorkInput & {
  /** Queues a match when a scan has added something; off unless said. */
  matchesAfterwards?: boolean
}

/** Types that keep a thread busy. The others wait for providers, whose limits of this process they share. */
const HEAVY: ReadonlySet<ScanJobType> = new Set(['scan', 'rescan', 'prune', 'source_backfill'])

/**
 * Works on a job (`workOnJob`) where its type belongs, tells what became of it, and wakes the next one of its library.
 * @param onProgress told after every write of a job that runs in this thread
 * @throws AppError `scan_job_not_found`, and what a lost database throws
 */
export async function runScanJob(
  services: RunScanServices,
  { matchesAfterwards = false, ...input }: RunScanInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void = () => {},
): Promise<ScanJob> {
  const { type } = await getScanJob(services, input.scanJobId)
  const { job, hasRun } = HEAVY.has(type)
    ? await workHard(services, input, signal, onProgress)
    : await workOnJob(services, input, signal, onProgress)
  if (!hasRun) return job
  onProgress(job)
  enqueueEvent(services, job)
  if (matchesAfterwards) await queueMatchAfterScan(services, job)
  await wakeNext(services, job)
  return job
}

/** In the thread for it, if there is one; the heaps of all threads stay small meanwhile. */
async function workHard(
  { scanThread, ...services }: RunScanServices,
  input: WorkInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void,
): Promise<WorkedJob> {
  const saveNoMore = beginMemoryIntensiveWork()
  try {
    return scanThread === undefined
      ? await workOnJob(services, input, signal, onProgress)
      : await workInThread({ ...services, scanThread }, input, signal)
  } finally {
    saveNoMore()
  }
}

/** A thread that ended takes its job with it: trying again would end the next one, so the job fails. */
async function workInThread(
  services: RunScanServices & { scanThread: ScanThread },
  input: WorkInput,
  signal: AbortSignal,
): Promise<WorkedJob> {
  try {
    return await services.scanThread.run(input, signal)
  } catch (error) {
    if (!(error instanceof ScanThreadLost)) throw error
    return failLostJob(services, input.scanJobId)
  }
}

/** Says that the job has ended, unless it goes on later or elsewhere. */
function enqueueEvent(
  { events }: RunScanServices,
  { id, libraryId, type, status, itemsAdded, itemsRemoved }: ScanJob,
): void {
  if (status === 'queued' || status === 'running') return
  const said = { libraryId, scanJobId: id, jobType: type, outcome: status, itemsAdded, itemsRemoved }
  events?.publish('library.updated', said)
}

/** A job that found the library busy went back to waiting; its turn is now. */
async function wakeNext({ db, jobs }: RunScanServices, ended: ScanJob): Promise<void> {
  if (jobs === undefined || ended.status === 'queued') return
  const [next] = await listJobIds(db, { status: 'queued', libraryId: ended.libraryId })
  if (next !== undefined) await jobs.enqueue(SCAN_QUEUE, { id: next })
}
