import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import { DEVICE_PROFILE_NAMES, type DeviceProfileName } from './device-profiles.ts'
import { VideoRenditionShape } from './rendition.ts'
import { TRANSCODE_STATUSES, type TranscodeJob } from './transcode-job.ts'

const JobRow = z.strictObject({
  id: z.string(),
  mediaItemId: z.string(),
  profile: z.enum(DEVICE_PROFILE_NAMES),
  status: z.enum(TRANSCODE_STATUSES),
  variants: z.array(VideoRenditionShape).nullable(),
  createdAt: z.date(),
})

const jobColumns = sql.fragment`id, media_item_id, profile, status, variants, created_at`

export async function findTranscodeJob(connection: Connection, id: string): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`select ${jobColumns} from transcode_jobs where id = ${id}`)
  return row ?? undefined
}

/** Finds the running job of an item for a device profile and for the same burned-in subtitles. There is at most one. */
export async function findRunningTranscodeJob(
  connection: Connection,
  {
    mediaItemId,
    profile,
    burnedStream,
  }: { mediaItemId: string; profile: DeviceProfileName; burnedStream: number | null },
): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${jobColumns} from transcode_jobs
    where media_item_id = ${mediaItemId} and profile = ${profile} and status = 'running'
      and coalesce(burned_stream, -1) = ${burnedStream ?? -1}`)
  return row ?? undefined
}

/** Inserts a running job; returns undefined if another process inserted it first. */
export async function insertTranscodeJob(
  connection: Connection,
  job: TranscodeJob & { burnedStream?: number | null },
): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    insert into transcode_jobs (id, media_item_id, profile, status, variants, created_at, last_used_at, burned_stream)
    values (
      ${job.id}, ${job.mediaItemId}, ${job.profile}, ${job.status},
      ${job.variants === null ? null : sql.jsonb(job.variants.map((variant) => ({ ...variant })))},
      ${sql.timestamp(job.createdAt)}, ${sql.timestamp(job.createdAt)}, ${job.burnedStream ?? null}
    )
    on conflict (media_item_id, profile, coalesce(burned_stream, -1)) where status = 'running' do nothing
    returning ${jobColumns}`)
  return row ?? undefined
}

/** Marks a running job as cancelled. Its addresses keep working as long as its files exist. */
export async function markTranscodeJobCancelled(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`
    update transcode_jobs set status = 'cancelled' where id = ${id} and status = 'running'`)
}

/** Marks a job as used, together with all jobs of the same film. */
export async function markJobUsed(connection: Connection, { id, now }: { id: string; now: Date }): Promise<void> {
  await connection.query(sql.unsafe`
    update transcode_jobs set last_used_at = ${sql.timestamp(now)} where id in (
      select id from transcode_jobs where id = ${id} or film_job_id = ${id}
      union select film_job_id from transcode_jobs where id = ${id}
      union select other.id from transcode_jobs job join transcode_jobs other on other.film_job_id = job.film_job_id where job.id = ${id})`)
}

/** Links the jobs of further files to the job of their film. */
export async function linkPartJobs(
  connection: Connection,
  { filmJobId, jobIds }: { filmJobId: string; jobIds: readonly string[] },
): Promise<void> {
  if (jobIds.length === 0) return
  await connection.query(sql.unsafe`
    update transcode_jobs set film_job_id = ${filmJobId}, last_used_at = (select last_used_at from transcode_jobs where id = ${filmJobId})
    where id = any (${sql.array([...jobIds], 'uuid')})`)
}

/** Returns the job of the film that contains the job's file; undefined if the job is not part of another one. */
export async function findMainJobOfPart(connection: Connection, id: string): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${jobColumns} from transcode_jobs where id = (select film_job_id from transcode_jobs where id = ${id})`)
  return row ?? undefined
}

/** Returns the ids of the jobs of a film's further files. */
export async function selectPartJobIds(connection: Connection, filmJobId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`select id from transcode_jobs where film_job_id = ${filmJobId}`)
}

const ListedJobRow = JobRow.extend({ itemName: z.string(), lastUsedAt: z.date() })

/** A job with the name of its item. */
export type TranscodeJobWithItem = TranscodeJob & { itemName: string; lastUsedAt: Date }

/** Returns the most recently used jobs of any status. */
export async function selectTranscodeJobs(
  connection: Connection,
  limit: number,
): Promise<readonly TranscodeJobWithItem[]> {
  return connection.any(sql.type(ListedJobRow)`
    select job.id, job.media_item_id, job.profile, job.status, job.variants, job.created_at, job.last_used_at,
      item.name as item_name
    from transcode_jobs job join media_items item on item.id = job.media_item_id
    order by job.last_used_at desc, job.id limit ${limit}`)
}

/** Returns the ids for which a job exists. */
export async function selectExistingJobIds(connection: Connection, ids: readonly string[]): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from transcode_jobs where id = any(${sql.array([...ids], 'uuid')})`)
}

/** Deletes the jobs that were last used before the given time and returns their ids. */
export async function deleteUnusedJobs(connection: Connection, usedBefore: Date): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    delete from transcode_jobs where last_used_at < ${sql.timestamp(usedBefore)} returning id`)
}
