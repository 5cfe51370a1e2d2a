import { setTimeout as pause } from 'node:timers/promises'
import { getLibrary } from '../../libraries/index.ts'
import {
  acquireSessionLock,
  toDatabaseError,
  databaseErrors,
  violatedUniqueConstraint,
  type SessionLock,
} from '../../platform/database/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { enqueueChangeEvents } from '../store/enqueue-change-events.ts'
import { ScanTakenOver } from '../errors.ts'
import { getScanJob } from '../queue/list-scan-jobs.ts'
import { jobRunnerForType } from './job-runners.ts'
import { prestartReaders } from './prestart-readers.ts'
import type { JobRun } from '../job/job-run.ts'
import { claimScanJob, findScanJob, endOrRequeueJob, deleteOldScanJobs } from '../queries/jobs.ts'
import { guardLibraryRoots } from '../walk/root-guard.ts'
import { isAnalysis, type ClaimedScanJob, type ScanJob, type ScanJobStatus } from '../job/scan-job.ts'
import { scanLockKey } from '../claim/scan-lock.ts'
import type { ScanServices } from '../job/scan-state.ts'
import { createVisitedFolders } from '../job/visited-folders.ts'
import { watchJobClaim } from '../claim/watch-job-claim.ts'

/** Twice `MAX_LIMIT` of list-scan-jobs.ts (100), so that a job that the list no longer shows can still be read by its id. */
const KEPT_JOBS_PER_LIBRARY = 200

export type JobRunServices = ScanServices & { connectionUri: string }

export type JobRunInput = {
  scanJobId: string
  /** Effect of aborting `signal` on the job: `cancel` ends it (Ctrl-C), `requeue` lets another worker continue. */
  whenAborted: 'cancel' | 'requeue'
}

/** `hasRun`: this worker ran the job; the job has ended or is queued again. */
export type JobOutcome = { job: ScanJob; hasRun: boolean }

/**
 * Claims a queued job, runs it and ends it. Does nothing if the job has ended, runs elsewhere, or another job of its library runs; the
 * current row is then returned. A failed job is returned with status `failed`; only an unavailable database causes an exception.
 * @throws AppError `scan_job_not_found`
 */
export async function claimAndRunJob(
  services: JobRunServices,
  { scanJobId, whenAborted }: JobRunInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void = () => {},
): Promise<JobOutcome> {
  const lock = await takeLock(services, { scanJobId, from: 'queued' })
  if (lock === undefined) return { job: await getScanJob(services, scanJobId), hasRun: false }
  try {
    const claimed = await claim(services, scanJobId)
    if (claimed === undefined) return { job: await getScanJob(services, scanJobId), hasRun: false }
    const job = await work(services, { job: claimed, lock, whenAborted, signal, onProgress })
    await deleteOldScanJobs(services.db, { libraryId: job.libraryId, kept: KEPT_JOBS_PER_LIBRARY })
    return { job, hasRun: true }
  } finally {
    await lock.release()
  }
}

type LockServices = Pick<JobRunServices, 'db' | 'connectionUri'>

/**
 * Marks the job of a dead worker as `failed`. It is not run again, because it would probably crash the next worker too.
 * @throws AppError `scan_job_not_found`
 */
export async function failJobOfDeadWorker(
  services: LockServices & Pick<JobRunServices, 'clock'>,
  scanJobId: string,
): Promise<JobOutcome> {
  const lock = await takeLock(services, { scanJobId, from: 'running' })
  try {
    const job = lock === undefined ? undefined : await claim(services, scanJobId)
    if (job === undefined) return { job: await getScanJob(services, scanJobId), hasRun: false }
    const error = 'the thread that worked on it ended, see the log'
    const failed = await endAndAnnounce(services, job, { status: 'failed', error })
    return { job: failed ?? job, hasRun: true }
  } finally {
    await lock?.release()
  }
}

const LOCK_TRIES = 5
const LOCK_PAUSE_MILLISECONDS = 200

/**
 * Acquires the lock of a job. A dedicated connection holds the lock while this process runs the job. Recovery checks the lock to detect
 * dead workers. PostgreSQL releases the lock of a closed connection with a short delay, so acquiring it is retried.
 */
async function takeLock(
  services: LockServices,
  { scanJobId, from }: { scanJobId: string; from: ScanJobStatus },
): Promise<SessionLock | undefined> {
  const wanted = { connectionUri: services.connectionUri, key: scanLockKey(scanJobId), mode: 'exclusive' } as const
  for (let tries = 1; ; tries += 1) {
    const { status } = await getScanJob(services, scanJobId)
    const lock = await acquireSessionLock(wanted)
    if (lock !== undefined || status !== from || tries === LOCK_TRIES) return lock
    await pause(LOCK_PAUSE_MILLISECONDS)
  }
}

async function claim(services: Pick<JobRunServices, 'db' | 'clock'>, id: string): Promise<ClaimedScanJob | undefined> {
  try {
    return await claimScanJob(services.db, { id, now: services.clock.now() })
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'scan_jobs_one_running') return undefined
    throw error
  }
}

type Work = {
  job: ClaimedScanJob
  lock: SessionLock
  whenAborted: JobRunInput['whenAborted']
  signal: AbortSignal
  onProgress: (job: ScanJob) => void
}

async function work(services: JobRunServices, { job, lock, whenAborted, signal, onProgress }: Work): Promise<ScanJob> {
  const lost = new AbortController()
  lock.onLost(() => lost.abort(new ScanTakenOver('the lock of the job was lost')))
  const stopWatching = watchJobClaim(services.db, job, (reason) => lost.abort(reason))
  const log = services.log.child({ domain: 'scanning', scanJobId: job.id })
  const end = async (
    status: 'queued' | 'completed' | 'failed' | 'cancelled',
    error: string | null,
  ): Promise<ScanJob> => {
    const left = await endAndAnnounce(services, job, { status, error })
    log.info({ status, reason: error ?? undefined }, 'scan ended')
    return left ?? rowOf(services, job)
  }
  try {
    const run = await prepare({ ...services, log }, job, {
      signal: AbortSignal.any([signal, lost.signal]),
      onProgress,
    })
    log.info({ libraryId: job.libraryId, type: job.type, attempt: job.attempt }, 'scan started')
    const outcome = await jobRunnerForType(job.type)(run)
    if (typeof outcome === 'object') return await end('completed', outcome.remark)
    return await end(outcome === undefined ? 'completed' : 'failed', outcome ?? null)
  } catch (error) {
    if (lost.signal.aborted || error instanceof ScanTakenOver) {
      return handleLostClaim({ ...services, log }, job)
    }
    if (signal.aborted) return end(whenAborted === 'cancel' ? 'cancelled' : 'queued', null)
    if (isDatabaseAway(error)) {
      log.warning(
        { reason: describeError(error) },
        'the database became unavailable during a scan; the job continues when it is available again',
      )
      return end('queued', null)
    }
    log.error({ err: error }, 'scan failed')
    return end('failed', error instanceof AppError ? error.message : 'unexpected error, see the log')
  } finally {
    stopWatching()
  }
}

type Ending = { status: 'queued' | 'completed' | 'failed' | 'cancelled'; error: string | null }

/** Ends a job or returns it to the queue, and announces its changes in the same transaction. */
async function endAndAnnounce(
  { db, clock }: Pick<JobRunServices, 'db' | 'clock'>,
  job: ClaimedScanJob,
  ending: Ending,
): Promise<ScanJob | undefined> {
  const now = clock.now()
  return db.transaction(async (connection) => {
    const row = await endOrRequeueJob(connection, { ...job, ...ending, now })
    if (row !== undefined && ending.status !== 'queued') await enqueueChangeEvents(connection, row, now)
    return row
  })
}

/** Returns the current row of a job that this worker no longer owns. */
async function handleLostClaim(services: JobRunServices, job: ClaimedScanJob): Promise<ScanJob> {
  const left = await rowOf(services, job)
  if (left.status === 'cancelled') {
    services.log.info('the scan was cancelled')
    await announceCancelled(services, left)
  } else services.log.warning('another worker has taken over the scan')
  return left
}

/** The canceller does not know what the job has changed so far, so this worker announces the changes. */
async function announceCancelled({ db, clock }: ScanServices, job: ScanJob): Promise<void> {
  await db.transaction(async (connection) => {
    if ((await findScanJob(connection, job.id)) !== undefined) await enqueueChangeEvents(connection, job, clock.now())
  })
}

/** Returns the current row; if the library was deleted meanwhile, the last known row as cancelled. */
async function rowOf({ db, clock }: JobRunServices, job: ClaimedScanJob): Promise<ScanJob> {
  return (await findScanJob(db, job.id)) ?? { ...job, status: 'cancelled', completedAt: clock.now() }
}

async function prepare(
  services: ScanServices,
  job: ClaimedScanJob,
  run: Pick<JobRun, 'signal' | 'onProgress'>,
): Promise<JobRun> {
  const library = await getLibrary(services, job.libraryId)
  await prestartReaders(services, { job, library })
  return {
    services,
    job,
    library,
    // `force` of an analysis means to repeat it, not to accept an empty folder.
    roots: await guardLibraryRoots(services, { library, force: job.options.force === true && !isAnalysis(job.type) }),
    unverified: new Set(),
    seenFolders: createVisitedFolders(),
    counters: { found: 0, added: job.itemsAdded, updated: 0, removed: job.itemsRemoved, failed: job.itemsFailed },
    ...run,
  }
}

function isDatabaseAway(error: unknown): boolean {
  const known = toDatabaseError(error)
  return known instanceof AppError && known.code === databaseErrors.database_unavailable.definition.code
}
