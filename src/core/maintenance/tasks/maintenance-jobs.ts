import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { recordStorageSnapshot } from '../../statistics/index.ts'
import { maintenanceErrors } from '../errors.ts'
import { MAINTENANCE_TASKS, QUEUED_TASKS, type MaintenanceJob, type QueuedTask } from './maintenance-task.ts'
import {
  claimMaintenanceJob,
  countSharedPaths,
  deleteOldMaintenanceJobs,
  endMaintenanceJob,
  insertMaintenanceJob,
  requeueMaintenanceJobs,
  selectActiveMaintenanceJob,
  selectMaintenanceJob,
  selectMaintenanceJobs,
} from './queries.ts'

type Services = { config: Config; db: Database; clock: Clock; log: Logger; jobs: JobQueue }

const KEPT_JOBS = 200
const DEFAULT_LIMIT = 50
const MAX_REASON = 1000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Queues a task. A task that waits or runs is not queued twice.
 * @returns the new job, or the one that waits or runs
 */
export async function queueMaintenanceJob(
  { db, clock, jobs }: Pick<Services, 'db' | 'clock' | 'jobs'>,
  { task, params, requestedBy }: { task: QueuedTask; params: Record<string, unknown>; requestedBy: string },
): Promise<{ job: MaintenanceJob; isNew: boolean }> {
  for (;;) {
    const inserted = await insertMaintenanceJob(db, { task, params, requestedBy, now: clock.now() })
    // It may end between the two statements; then a new one is wanted.
    const job = inserted ?? (await selectActiveMaintenanceJob(db, task))
    if (job === undefined) continue
    // Also a known one: its entry, or its worker, may have been lost with the connection to the database.
    await jobs.enqueue('maintenance', { id: job.id })
    return { job, isNew: inserted !== undefined }
  }
}

/** The newest first. @throws AppError `maintenance_task_unknown` */
export async function listMaintenanceJobs(
  { db }: Pick<Services, 'db'>,
  { task, limit = DEFAULT_LIMIT }: { task?: string | undefined; limit?: number | undefined },
): Promise<readonly MaintenanceJob[]> {
  const known = QUEUED_TASKS.find((one) => one === task)
  const rows = Math.min(Math.max(Math.trunc(limit), 1), KEPT_JOBS)
  if (task === undefined || known !== undefined) return selectMaintenanceJobs(db, { task: known, limit: rows })
  // The other tasks have no jobs.
  if (MAINTENANCE_TASKS.some((one) => one.task === task)) return []
  throw maintenanceErrors.maintenance_task_unknown()
}

/** @throws AppError `maintenance_job_not_found` */
export async function getMaintenanceJob({ db }: Pick<Services, 'db'>, id: string): Promise<MaintenanceJob> {
  const job = UUID.test(id) ? await selectMaintenanceJob(db, id) : undefined
  if (job === undefined) throw maintenanceErrors.maintenance_job_not_found()
  return job
}

/** Runs a job that has not ended. Its failure is stored in its row. */
export async function runMaintenanceJob(services: Services, id: string): Promise<void> {
  const { db, clock, log } = services
  const job = await claimMaintenanceJob(db, { id, now: clock.now() })
  if (job === undefined) return
  try {
    const result = await runTask(services, job)
    await endMaintenanceJob(db, { id, result, error: null, now: clock.now() })
  } catch (error) {
    log.warning({ task: job.task, reason: describeError(error) }, 'a maintenance job failed')
    await endMaintenanceJob(db, {
      id,
      result: null,
      error: describeError(error).slice(0, MAX_REASON),
      now: clock.now(),
    })
  }
  await deleteOldMaintenanceJobs(db, { kept: KEPT_JOBS })
}

/** At the start of the only server: takes up the jobs of the one before. All tasks may be repeated. */
export async function recoverMaintenanceJobs({ db, jobs }: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  for (const id of await requeueMaintenanceJobs(db)) await jobs.enqueue('maintenance', { id })
}

async function runTask(services: Services, { task, params }: MaintenanceJob): Promise<Record<string, unknown>> {
  if (task === 'storage-snapshot') {
    await recordStorageSnapshot(services)
    return { recorded_at: services.clock.now().toISOString() }
  }
  return { dry_run: params['apply'] !== true, shared_paths: await countSharedPaths(services.db), deleted: 0 }
}
