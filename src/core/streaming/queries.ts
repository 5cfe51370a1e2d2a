import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
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

export async function findJob(connection: Connection, id: string): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`select ${jobColumns} from transcode_jobs where id = ${id}`)
  return row ?? undefined
}

/** The job that players of this profile share; there is one at the most. */
export async function findRunningJob(
  connection: Connection,
  { mediaItemId, profile }: { mediaItemId: string; profile: DeviceProfileName },
): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${jobColumns} from transcode_jobs
    where media_item_id = ${mediaItemId} and profile = ${profile} and status = 'running'`)
  return row ?? undefined
}

/** Writes a running job; undefined where somebody else was first. */
export async function insertJob(connection: Connection, job: TranscodeJob): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    insert into transcode_jobs (id, media_item_id, profile, status, variants, created_at, last_used_at)
    values (
      ${job.id}, ${job.mediaItemId}, ${job.profile}, ${job.status},
      ${job.variants === null ? null : sql.jsonb(job.variants.map((variant) => ({ ...variant })))},
      ${sql.timestamp(job.createdAt)}, ${sql.timestamp(job.createdAt)}
    )
    on conflict (media_item_id, profile) where status = 'running' do nothing
    returning ${jobColumns}`)
  return row ?? undefined
}

/** Takes a running job out of use; its addresses keep working as long as its files last. */
export async function cancelJob(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`
    update transcode_jobs set status = 'cancelled' where id = ${id} and status = 'running'`)
}

export async function markJobUsed(connection: Connection, { id, now }: { id: string; now: Date }): Promise<void> {
  await connection.query(sql.unsafe`
    update transcode_jobs set last_used_at = ${sql.timestamp(now)} where id = ${id}`)
}
