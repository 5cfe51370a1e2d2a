import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { QUEUED_TASKS, type MaintenanceJob, type QueuedTask } from './maintenance-task.ts'

const FreeObject = z.record(z.string(), z.unknown())

const JobRow = z.strictObject({
  id: z.string(),
  task: z.enum(QUEUED_TASKS),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  params: FreeObject,
  result: FreeObject.nullable(),
  error: z.string().nullable(),
  requestedBy: z.string().nullable(),
  queuedAt: z.date(),
  startedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
})

const IdRow = JobRow.pick({ id: true })

const CountRow = z.strictObject({ count: z.number() })

const columns = sql.fragment`
  id, task, status, params, result, error, requested_by, queued_at, started_at, completed_at`

/** Inserts a job unless one of this task waits or runs. @returns undefined then */
export async function insertMaintenanceJob(
  connection: Connection,
  {
    task,
    params,
    requestedBy,
    now,
  }: { task: QueuedTask; params: Record<string, unknown>; requestedBy: string; now: Date },
): Promise<MaintenanceJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    insert into maintenance_jobs (task, params, requested_by, queued_at)
    values (${task}, ${JSON.stringify(params)}::jsonb, ${requestedBy}, ${sql.timestamp(now)})
    on conflict (task) where status in ('queued', 'running') do nothing
    returning ${columns}`)
  return row ?? undefined
}

export async function selectActiveMaintenanceJob(
  connection: Connection,
  task: QueuedTask,
): Promise<MaintenanceJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${columns} from maintenance_jobs where task = ${task} and status in ('queued', 'running')`)
  return row ?? undefined
}

export async function selectMaintenanceJob(connection: Connection, id: string): Promise<MaintenanceJob | undefined> {
  return (
    (await connection.maybeOne(sql.type(JobRow)`select ${columns} from maintenance_jobs where id = ${id}`)) ?? undefined
  )
}

/** Newest first. */
export async function selectMaintenanceJobs(
  connection: Connection,
  { task, limit }: { task: QueuedTask | undefined; limit: number },
): Promise<readonly MaintenanceJob[]> {
  const condition = task === undefined ? sql.fragment`true` : sql.fragment`task = ${task}`
  return connection.any(sql.type(JobRow)`
    select ${columns} from maintenance_jobs where ${condition} order by queued_at desc, id limit ${limit}`)
}

/**
 * Marks a job as running. One that runs already has lost its worker: the only server runs one job at a time.
 * @returns undefined if it has ended
 */
export async function claimMaintenanceJob(
  connection: Connection,
  { id, now }: { id: string; now: Date },
): Promise<MaintenanceJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    update maintenance_jobs set status = 'running', started_at = ${sql.timestamp(now)}
    where id = ${id} and status in ('queued', 'running') returning ${columns}`)
  return row ?? undefined
}

export type MaintenanceJobResult = {
  id: string
  result: Readonly<Record<string, unknown>> | null
  error: string | null
  now: Date
}

export async function endMaintenanceJob(
  connection: Connection,
  { id, result, error, now }: MaintenanceJobResult,
): Promise<void> {
  await connection.query(sql.unsafe`
    update maintenance_jobs set status = ${error === null ? 'completed' : 'failed'}, error = ${error},
      result = ${result === null ? null : JSON.stringify(result)}::jsonb, completed_at = ${sql.timestamp(now)}
    where id = ${id} and status = 'running'`)
}

/** Queues the jobs of a dead server again. @returns the ids of all waiting jobs */
export async function requeueMaintenanceJobs(connection: Connection): Promise<readonly string[]> {
  await connection.query(
    sql.unsafe`update maintenance_jobs set status = 'queued', started_at = null where status = 'running'`,
  )
  const rows = await connection.any(sql.type(IdRow)`select id from maintenance_jobs where status = 'queued'`)
  return rows.map(({ id }) => id)
}

/** Keeps the newest jobs only. */
export async function deleteOldMaintenanceJobs(connection: Connection, { kept }: { kept: number }): Promise<void> {
  await connection.query(sql.unsafe`
    delete from maintenance_jobs where status in ('completed', 'failed')
      and id in (select id from maintenance_jobs order by queued_at desc, id offset ${kept})`)
}

/** A read-only report over the items: the number of files that several libraries list. */
export async function countSharedPaths(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from (
      select path_hash from media_items where path_hash is not null group by path_hash having count(*) > 1) shared`)
}
