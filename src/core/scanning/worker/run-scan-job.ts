import { getLibrary } from '../../libraries/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import { ScanThreadLost } from '../errors.ts'
import { getScanJob } from '../queue/list-scan-jobs.ts'
import { queueMatchAfterScan } from './match-after-scan.ts'
import { queueAnalysisAfterScan } from '../queue/queue-analysis.ts'
import { queueForJobType } from '../queue/queue-scan.ts'
import { listJobIdsByStatus } from '../queries/jobs.ts'
import type { ScanJob, ScanJobType } from '../job/scan-job.ts'
import type { ScanThread } from './scan-thread.ts'
import {
  failJobOfDeadWorker,
  claimAndRunJob,
  type JobOutcome,
  type JobRunInput,
  type JobRunServices,
} from '../run/claim-and-run-job.ts'

export type RunScanServices = JobRunServices & {
  /** The thread for jobs that read whole libraries; without it they run in this thread. */
  scanThread?: ScanThread
  jobs?: JobQueue
  events?: EventBus
}

export type RunScanInput = JobRunInput & {
  /** Queues after a scan the metadata match and the analysis of what it has added; off by default. */
  queuesAfterwards?: boolean
}

/** Job types with much computation. The others wait for providers and share the rate limits of this process. */
const HEAVY: ReadonlySet<ScanJobType> = new Set(['scan', 'rescan', 'prune', 'source_backfill'])

/**
 * Runs a job (`claimAndRunJob`) in the appropriate thread, publishes the result, and wakes the next job of its library.
 * @param onProgress called after every write of a job that runs in this thread
 * @throws AppError `scan_job_not_found`, and the errors of an unavailable database
 */
export async function runScanJob(
  services: RunScanServices,
  { queuesAfterwards = false, ...input }: RunScanInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void = () => {},
): Promise<ScanJob> {
  const { type, libraryId } = await getScanJob(services, input.scanJobId)
  if (isScan(type)) await publishStart(services, libraryId)
  const { job, hasRun } = HEAVY.has(type)
    ? await runHeavyJob(services, input, signal, onProgress)
    : await claimAndRunJob(services, input, signal, onProgress)
  if (!hasRun) return job
  onProgress(job)
  publishEnd(services, job)
  if (queuesAfterwards) {
    await queueMatchAfterScan(services, job)
    await queueAnalysisAfterScan(services, job)
  }
  await wakeNext(services, job)
  return job
}

/** Runs in the scan thread if there is one, with reduced heaps in all threads. */
async function runHeavyJob(
  { scanThread, ...services }: RunScanServices,
  input: JobRunInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void,
): Promise<JobOutcome> {
  const endMemoryIntensiveWork = services.throttle.beginMemoryIntensiveWork()
  try {
    return scanThread === undefined
      ? await claimAndRunJob(services, input, signal, onProgress)
      : await workInThread({ ...services, scanThread }, input, signal)
  } finally {
    endMemoryIntensiveWork()
  }
}

/** The job of a terminated thread fails, because another attempt would terminate the next thread. */
async function workInThread(
  services: RunScanServices & { scanThread: ScanThread },
  input: JobRunInput,
  signal: AbortSignal,
): Promise<JobOutcome> {
  try {
    return await services.scanThread.run(input, signal)
  } catch (error) {
    if (!(error instanceof ScanThreadLost)) throw error
    return failJobOfDeadWorker(services, input.scanJobId)
  }
}

/** Publishes the end of the job, unless it continues later or in another process. */
function publishEnd(
  { events }: RunScanServices,
  { id, libraryId, type, status, itemsAdded, itemsUpdated, itemsRemoved, startedAt, completedAt }: ScanJob,
): void {
  if (status === 'queued' || status === 'running') return
  const event = { libraryId, scanJobId: id, jobType: type, outcome: status, itemsAdded, itemsRemoved }
  events?.publish('library.updated', event)
  if (!isScan(type) || startedAt === null) return
  const durationMs = Math.max((completedAt ?? startedAt).getTime() - startedAt.getTime(), 0)
  const payload = { libraryId, itemsAdded, itemsUpdated, itemsRemoved, durationMs }
  events?.publish('plugin.event', { name: 'library.scan.completed', payload })
}

function isScan(type: ScanJobType): boolean {
  return type === 'scan' || type === 'rescan'
}

/** Publishes the event of a started scan for plugins. The library may have been deleted in the meantime. */
async function publishStart({ db, events }: RunScanServices, libraryId: string): Promise<void> {
  if (events === undefined) return
  const { name, paths } = await getLibrary({ db }, libraryId)
  const payload = { libraryId, libraryName: name, path: paths[0] ?? null }
  events.publish('plugin.event', { name: 'library.scan.started', payload })
}

/** Wakes a job that had returned to the queue because the library was busy. */
async function wakeNext({ db, jobs }: RunScanServices, ended: ScanJob): Promise<void> {
  if (jobs === undefined || ended.status === 'queued') return
  for (const { id, type } of await listJobIdsByStatus(db, { status: 'queued', libraryId: ended.libraryId })) {
    await jobs.enqueue(queueForJobType(type), { id })
  }
}
