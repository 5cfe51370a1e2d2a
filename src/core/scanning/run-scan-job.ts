import { setTimeout as pause } from 'node:timers/promises'
import { getLibrary } from '../libraries/index.ts'
import {
  acquireSessionLock,
  asDatabaseError,
  databaseErrors,
  uniqueViolation,
  type SessionLock,
} from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { JobQueue } from '../platform/jobs/index.ts'
import { announceChanges } from './announce-changes.ts'
import { ScanTakenOver } from './errors.ts'
import { getScanJob } from './list-scans.ts'
import { phasesOfJob } from './job-phases.ts'
import type { JobRun } from './job-run.ts'
import { SCAN_QUEUE } from './queue-scan.ts'
import { claimJob, findJob, leaveJob, listJobIds, trimJobs } from './queries/jobs.ts'
import { guardRoots } from './root-guard.ts'
import type { ClaimedScanJob, ScanJob } from './scan-job.ts'
import { scanLockKey } from './scan-lock.ts'
import type { ScanServices } from './scan.ts'
import { createSeenFolders } from './seen-folders.ts'
import { watchClaim } from './watch-claim.ts'

/** Twice of what history answers at the most. */
const KEPT_JOBS_PER_LIBRARY = 200

export type RunScanServices = ScanServices & { connectionUri: string; jobs?: JobQueue; events?: EventBus }

export type RunScanInput = {
  scanJobId: string
  /** What becomes of the job when `signal` fires: `cancel` ends it (somebody pressed Ctrl-C), `requeue` lets another worker go on. */
  whenAborted: 'cancel' | 'requeue'
}

/**
 * Takes a queued job, runs it and ends it. Does nothing when the job has ended, runs elsewhere, or another job of its library
 * runs; the answer is then the row as it is. A job that fails answers with status `failed`; only a lost database throws.
 * @throws AppError `scan_job_not_found`
 */
export async function runScanJob(
  services: RunScanServices,
  { scanJobId, whenAborted }: RunScanInput,
  signal: AbortSignal,
  onProgress: (job: ScanJob) => void = () => {},
): Promise<ScanJob> {
  const lock = await takeLock(services, scanJobId)
  if (lock === undefined) return getScanJob(services, scanJobId)
  try {
    const job = await claim(services, scanJobId)
    if (job === undefined) return await getScanJob(services, scanJobId)
    const ended = await work(services, { job, lock, whenAborted, signal, onProgress })
    onProgress(ended)
    announce(services, ended)
    await trimJobs(services.db, { libraryId: ended.libraryId, kept: KEPT_JOBS_PER_LIBRARY })
    await wakeNext(services, ended)
    return ended
  } finally {
    await lock.release()
  }
}

const LOCK_TRIES = 5
const LOCK_PAUSE_MILLISECONDS = 200

/**
 * The lock is held by a connection of its own for as long as this process works on the job: the sign of life that recovery looks
 * for. The server frees the lock of a connection that ended a moment later, so a job that waits is worth a few tries.
 */
async function takeLock(services: RunScanServices, scanJobId: string): Promise<SessionLock | undefined> {
  const wanted = { connectionUri: services.connectionUri, key: scanLockKey(scanJobId), mode: 'exclusive' } as const
  for (let tries = 1; ; tries += 1) {
    const { status } = await getScanJob(services, scanJobId)
    const lock = await acquireSessionLock(wanted)
    if (lock !== undefined || status !== 'queued' || tries === LOCK_TRIES) return lock
    await pause(LOCK_PAUSE_MILLISECONDS)
  }
}

async function claim(services: RunScanServices, id: string): Promise<ClaimedScanJob | undefined> {
  try {
    return await claimJob(services.db, { id, now: services.clock.now() })
  } catch (error) {
    if (uniqueViolation(error) === 'scan_jobs_one_running') return undefined
    throw error
  }
}

type Work = {
  job: ClaimedScanJob
  lock: SessionLock
  whenAborted: RunScanInput['whenAborted']
  signal: AbortSignal
  onProgress: (job: ScanJob) => void
}

async function work(services: RunScanServices, { job, lock, whenAborted, signal, onProgress }: Work): Promise<ScanJob> {
  const lost = new AbortController()
  lock.onLost(() => lost.abort(new ScanTakenOver('the lock of the job was lost')))
  const stopWatching = watchClaim(services.db, job, (reason) => lost.abort(reason))
  const log = services.log.child({ domain: 'scanning', scanJobId: job.id })
  const end = async (
    status: 'queued' | 'completed' | 'failed' | 'cancelled',
    error: string | null,
  ): Promise<ScanJob> => {
    const now = services.clock.now()
    const left = await services.db.transaction(async (connection) => {
      const row = await leaveJob(connection, { ...job, status, error, now })
      if (row !== undefined && status !== 'queued') await announceChanges(connection, row, now)
      return row
    })
    log.info({ status, reason: error ?? undefined }, 'scan ended')
    return left ?? rowOf(services, job)
  }
  try {
    const run = await prepare({ ...services, log }, job, {
      signal: AbortSignal.any([signal, lost.signal]),
      onProgress,
    })
    log.info({ libraryId: job.libraryId, type: job.type, attempt: job.attempt }, 'scan started')
    const outcome = await phasesOfJob(job.type)(run)
    if (typeof outcome === 'object') return await end('completed', outcome.remark)
    return await end(outcome === undefined ? 'completed' : 'failed', outcome ?? null)
  } catch (error) {
    if (lost.signal.aborted || error instanceof ScanTakenOver) {
      return stepAside({ ...services, log }, job)
    }
    if (signal.aborted) return end(whenAborted === 'cancel' ? 'cancelled' : 'queued', null)
    if (isDatabaseAway(error)) {
      log.warning({ reason: describeError(error) }, 'the database went away during a scan; the job waits for it')
      return end('queued', null)
    }
    log.error({ err: error }, 'scan failed')
    return end('failed', error instanceof AppError ? error.message : 'unexpected error, see the log')
  } finally {
    stopWatching()
  }
}

/** What the others see of a job that is no longer this worker's. */
async function stepAside(services: RunScanServices, job: ClaimedScanJob): Promise<ScanJob> {
  const left = await rowOf(services, job)
  if (left.status === 'cancelled') {
    services.log.info('the scan was cancelled')
    await announceCancelled(services, left)
  } else services.log.warning('the scan was taken from this worker; another one goes on with it')
  return left
}

/** Whoever cancels a job does not know what it has done so far. */
async function announceCancelled({ db, clock }: ScanServices, job: ScanJob): Promise<void> {
  await db.transaction(async (connection) => {
    if ((await findJob(connection, job.id)) !== undefined) await announceChanges(connection, job, clock.now())
  })
}

/** The row as it is; of a library that was deleted meanwhile, as it was before that. */
async function rowOf({ db, clock }: RunScanServices, job: ClaimedScanJob): Promise<ScanJob> {
  return (await findJob(db, job.id)) ?? { ...job, status: 'cancelled', completedAt: clock.now() }
}

async function prepare(
  services: ScanServices,
  job: ClaimedScanJob,
  run: Pick<JobRun, 'signal' | 'onProgress'>,
): Promise<JobRun> {
  const library = await getLibrary(services, job.libraryId)
  return {
    services,
    job,
    library,
    roots: await guardRoots(services, { library, force: job.options.force === true }),
    unverified: new Set(),
    seenFolders: createSeenFolders(),
    counters: { found: 0, added: job.itemsAdded, updated: 0, removed: job.itemsRemoved, failed: job.itemsFailed },
    ...run,
  }
}

function isDatabaseAway(error: unknown): boolean {
  const known = asDatabaseError(error)
  return known instanceof AppError && known.code === databaseErrors.database_unavailable.definition.code
}

/** Says that the job has ended, unless it goes on later or elsewhere. */
function announce(
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
