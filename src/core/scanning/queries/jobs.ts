import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import {
  ANALYSIS_JOB_TYPES,
  SCAN_JOB_STATUSES,
  SCAN_JOB_TYPES,
  type ActiveScanJob,
  type ScanJob,
  type ScanJobStatus,
  type ScanOptions,
} from '../job/scan-job.ts'
import type { ScanCounters } from '../job/scan-state.ts'

const jobShape = {
  id: z.string(),
  libraryId: z.string(),
  type: z.enum(SCAN_JOB_TYPES),
  status: z.enum(SCAN_JOB_STATUSES),
  itemsFound: z.number(),
  itemsAdded: z.number(),
  itemsUpdated: z.number(),
  itemsRemoved: z.number(),
  itemsFailed: z.number(),
  currentPath: z.string().nullable(),
  error: z.string().nullable(),
  queuedAt: z.date(),
  startedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
}

const JobRow = z.strictObject(jobShape)

const ActiveRow = z.strictObject({ ...jobShape, isAutomatic: z.boolean() })

const ClaimedRow = z.strictObject({
  ...jobShape,
  startedAt: z.date(),
  attempt: z.number(),
  cursor: z.string().nullable(),
  options: z.object({
    force: z.boolean().optional(),
    readEveryFile: z.boolean().optional(),
    limit: z.number().optional(),
    itemId: z.string().optional(),
    isAutomatic: z.boolean().optional(),
  }),
})

const jobColumns = sql.fragment`
  id, library_id, type, status, items_found, items_added, items_updated, items_removed, items_failed, current_path, error,
  queued_at, started_at, completed_at`

export async function findScanJob(connection: Connection, id: string): Promise<ScanJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`select ${jobColumns} from scan_jobs where id = ${id}`)
  return row ?? undefined
}

/**
 * Updates the options of a waiting job of this type and library and returns it; undefined if none waits. A job that a user requests is no longer
 * automatic.
 */
export async function mergeIntoQueuedJob(
  connection: Connection,
  row: { libraryId: string; type: ScanJob['type']; options: ScanOptions },
): Promise<ScanJob | undefined> {
  const options = sql.fragment`${JSON.stringify(row.options)}::jsonb`
  const joined = sql.fragment`case when options ? 'isAutomatic' and ${options} ? 'isAutomatic' then options || ${options}
      else (options || ${options}) - 'isAutomatic' end`
  // Two jobs for different items become one for the whole library. It forces only what a job for the whole library would force.
  const isForced = sql.fragment`(not options ? 'itemId' and options ? 'force') or (not ${options} ? 'itemId' and ${options} ? 'force')`
  const joinedJob = await connection.maybeOne(sql.type(JobRow)`
    update scan_jobs set options = case when options->'itemId' is not distinct from ${options}->'itemId' then ${joined}
      else (${joined}) - 'itemId' - 'force' || case when ${isForced} then '{"force": true}'::jsonb else '{}' end end
    where id = (
      select id from scan_jobs where library_id = ${row.libraryId} and type = ${row.type} and status = 'queued'
      order by queued_at, queue_number limit 1) and status = 'queued'
    returning ${jobColumns}`)
  return joinedJob ?? undefined
}

/** Inserts a waiting job; returns undefined if another request has inserted one meanwhile. */
export async function insertScanJob(
  connection: Connection,
  row: { libraryId: string; type: ScanJob['type']; options: ScanOptions; requestedBy: string | null; now: Date },
): Promise<ScanJob | undefined> {
  const inserted = await connection.maybeOne(sql.type(JobRow)`
    insert into scan_jobs (library_id, type, options, requested_by, queued_at)
    values (${row.libraryId}, ${row.type}, ${JSON.stringify(row.options)}::jsonb, ${row.requestedBy}, ${sql.timestamp(row.now)})
    on conflict (library_id, type) where status = 'queued' and attempts = 0 do nothing
    returning ${jobColumns}`)
  return inserted ?? undefined
}

const isAnalysis = sql.fragment`type = any (${sql.array([...ANALYSIS_JOB_TYPES], 'text')})`

/** @param which.isAnalysis whether an analysis or another job is looked for */
export async function findActiveJob(
  connection: Connection,
  which: { libraryId: string; isAnalysis: boolean },
): Promise<ActiveScanJob | undefined> {
  const row = await connection.maybeOne(sql.type(ActiveRow)`
    select ${jobColumns}, options ? 'isAutomatic' as is_automatic from scan_jobs where library_id = ${which.libraryId} and status in ('running', 'queued')
      and (${isAnalysis}) = ${which.isAnalysis}
    order by status = 'running' desc, queued_at, queue_number limit 1`)
  return row ?? undefined
}

/** The most recently queued job of a library: an analysis, or another job. */
export async function findLatestJob(
  connection: Connection,
  which: { libraryId: string; isAnalysis: boolean },
): Promise<ScanJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${jobColumns} from scan_jobs where library_id = ${which.libraryId} and (${isAnalysis}) = ${which.isAnalysis}
    order by queued_at desc, queue_number desc limit 1`)
  return row ?? undefined
}

export async function listLibraryJobs(
  connection: Connection,
  { libraryId, limit }: { libraryId: string; limit: number },
): Promise<ScanJob[]> {
  const rows = await connection.any(sql.type(JobRow)`
    select ${jobColumns} from scan_jobs where library_id = ${libraryId} order by queued_at desc, queue_number desc limit ${limit}`)
  return [...rows]
}

/** The jobs of all libraries in some states, or in all; the most recently queued first. */
export async function listAllJobs(
  connection: Connection,
  { statuses, limit }: { statuses: readonly ScanJobStatus[]; limit: number },
): Promise<ScanJob[]> {
  const isWanted =
    statuses.length === 0 ? sql.fragment`true` : sql.fragment`status = any (${sql.array([...statuses], 'text')})`
  const rows = await connection.any(sql.type(JobRow)`
    select ${jobColumns} from scan_jobs where ${isWanted} order by queued_at desc, queue_number desc limit ${limit}`)
  return [...rows]
}

const OptionsRow = ClaimedRow.pick({ options: true })

/** The options that a job was queued with; undefined for an unknown job. */
export async function findJobOptions(connection: Connection, id: string): Promise<ScanOptions | undefined> {
  const options = await connection.maybeOneFirst(sql.type(OptionsRow)`select options from scan_jobs where id = ${id}`)
  return options ?? undefined
}

const QueuedRow = z.strictObject({ id: z.string(), type: z.enum(SCAN_JOB_TYPES) })

/** Returns the ids and types of jobs in a state, oldest first. */
export async function listJobIdsByStatus(
  connection: Connection,
  { status, libraryId }: { status: 'queued' | 'running'; libraryId?: string },
): Promise<Pick<ScanJob, 'id' | 'type'>[]> {
  const isWanted = libraryId === undefined ? sql.fragment`true` : sql.fragment`library_id = ${libraryId}`
  const rows = await connection.any(sql.type(QueuedRow)`
    select id, type from scan_jobs where status = ${status} and ${isWanted} order by queued_at, queue_number`)
  return [...rows]
}

/**
 * Claims a job for this worker; returns undefined if it has ended. A row that is still `running` belongs to a dead worker, because the
 * caller holds the job's lock. Counters that are recounted start at zero; cumulative counters are kept. Throws a violation of
 * `scan_jobs_one_running` if another job of the library runs.
 */
export async function claimScanJob(
  connection: Connection,
  { id, now }: { id: string; now: Date },
): Promise<z.infer<typeof ClaimedRow> | undefined> {
  const row = await connection.maybeOne(sql.type(ClaimedRow)`
    update scan_jobs set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${sql.timestamp(now)}),
      items_found = 0, items_updated = 0, current_path = null, error = null
    where id = ${id} and status in ('queued', 'running')
    returning ${jobColumns}, attempts as attempt, options, cursor`)
  return row ?? undefined
}

type Claim = { id: string; attempt: number }

/** Returns whether this worker still owns a job. */
export async function isJobOwnedByWorker(connection: Connection, { id, attempt }: Claim): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from scan_jobs where id = ${id} and attempts = ${attempt} and status = 'running'`)
}

/**
 * Cancels waiting and running jobs: one job, or all of a library. Waits for the batch that a worker is writing. Before its next batch the
 * worker notices that it has lost the job.
 */
export async function cancelScanJobs(
  connection: Connection,
  { which, now }: { which: { scanJobId: string } | { libraryId: string }; now: Date },
): Promise<ScanJob[]> {
  const isSelected =
    'libraryId' in which ? sql.fragment`library_id = ${which.libraryId}` : sql.fragment`id = ${which.scanJobId}`
  const rows = await connection.any(sql.type(JobRow)`
    update scan_jobs set status = 'cancelled', completed_at = ${sql.timestamp(now)}, current_path = null
    where ${isSelected} and status in ('queued', 'running')
    returning ${jobColumns}`)
  return [...rows]
}

/**
 * Locks the row of a running job until the end of the transaction; returns false if this worker no longer owns it. The statement timeout
 * is longer than that of a request. Commits are asynchronous: after a power failure within half a second, the batch and the job's
 * progress are lost together, and the files are found again.
 */
export async function lockScanJob(connection: Connection, { id, attempt }: Claim): Promise<boolean> {
  await connection.query(sql.unsafe`set local statement_timeout = '60s'`)
  await connection.query(sql.unsafe`set local synchronous_commit = off`)
  return connection.exists(sql.unsafe`
    select 1 from scan_jobs where id = ${id} and attempts = ${attempt} and status = 'running' for update`)
}

export type ScanJobState = {
  counters: ScanCounters
  currentPath: string | null
  /** The last processed item, for a job that iterates over items by id. */
  cursor?: string
}

/** Writes the progress of a job; returns undefined if this worker no longer owns it. */
export async function updateJobProgress(
  connection: Connection,
  { id, attempt, counters, currentPath, cursor }: Claim & ScanJobState,
): Promise<ScanJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    update scan_jobs set items_found = ${counters.found}, items_added = ${counters.added}, items_updated = ${counters.updated},
      items_removed = ${counters.removed}, items_failed = ${counters.failed}, current_path = ${currentPath},
      cursor = coalesce(${cursor ?? null}::uuid, cursor)
    where id = ${id} and attempts = ${attempt} and status = 'running'
    returning ${jobColumns}`)
  return row ?? undefined
}

/** Ends a job or returns it to the queue; returns undefined if this worker no longer owns it. */
export async function endOrRequeueJob(
  connection: Connection,
  {
    id,
    attempt,
    status,
    error,
    now,
  }: Claim & { status: Exclude<ScanJobStatus, 'running'>; error: string | null; now: Date },
): Promise<ScanJob | undefined> {
  const completedAt = status === 'queued' ? sql.fragment`null` : sql.timestamp(now)
  const row = await connection.maybeOne(sql.type(JobRow)`
    update scan_jobs set status = ${status}, error = ${error}, completed_at = ${completedAt}, current_path = null
    where id = ${id} and attempts = ${attempt} and status = 'running'
    returning ${jobColumns}`)
  return row ?? undefined
}

/** Deletes all but the newest ended jobs of a library, with their failures; history does not show them. */
export async function deleteOldScanJobs(
  connection: Connection,
  { libraryId, kept }: { libraryId: string; kept: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from scan_jobs where id in (
      select id from scan_jobs where library_id = ${libraryId} and completed_at is not null
      order by queued_at desc, queue_number desc offset ${kept})`)
}

/** Returns the job of a dead worker to the queue; the caller holds its lock. */
export async function requeueAbandonedJob(connection: Connection, id: string): Promise<boolean> {
  const result = await connection.query(sql.unsafe`
    update scan_jobs set status = 'queued', current_path = null where id = ${id} and status = 'running'`)
  return result.rowCount === 1
}
