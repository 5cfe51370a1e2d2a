import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../platform/database/index.ts'
import type { StreamIndex } from '../probing/index.ts'
import { DEVICE_PROFILE_NAMES, type DeviceProfileName } from './device-profiles.ts'
import { packKeyFrames, packNumbers, unpackKeyFrames, unpackNumbers } from './key-frame-bytes.ts'
import { RECORDING_CONTAINERS } from './recordings.ts'
import { VideoRenditionShape } from './rendition.ts'
import type { SourceFile } from './source-file.ts'
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

/** Finds the running job of an item for a device profile and for the same burned-in subtitles. There is at most one. */
export async function findRunningJob(
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
export async function insertJob(
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
export async function cancelJob(connection: Connection, id: string): Promise<void> {
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
export async function joinJobs(
  connection: Connection,
  { filmJobId, jobIds }: { filmJobId: string; jobIds: readonly string[] },
): Promise<void> {
  if (jobIds.length === 0) return
  await connection.query(sql.unsafe`
    update transcode_jobs set film_job_id = ${filmJobId}, last_used_at = (select last_used_at from transcode_jobs where id = ${filmJobId})
    where id = any (${sql.array([...jobIds], 'uuid')})`)
}

/** Returns the job of the film that contains the job's file; undefined if the job is not part of another one. */
export async function findFilmJob(connection: Connection, id: string): Promise<TranscodeJob | undefined> {
  const row = await connection.maybeOne(sql.type(JobRow)`
    select ${jobColumns} from transcode_jobs where id = (select film_job_id from transcode_jobs where id = ${id})`)
  return row ?? undefined
}

/** Returns the ids of the jobs of a film's further files. */
export async function selectPartJobs(connection: Connection, filmJobId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`select id from transcode_jobs where film_job_id = ${filmJobId}`)
}

const IndexRow = z.strictObject({
  streamIndex: z.number(),
  firstMicroseconds: z.number(),
  endMicroseconds: z.number(),
  frameCount: z.number().nullable(),
  hasConstantRate: z.boolean(),
  keyFrames: z.instanceof(Buffer),
  keyFrameBytes: z.instanceof(Buffer),
  jumps: z.array(
    z.strictObject({
      atMicroseconds: z.number(),
      byMicroseconds: z.number(),
      position: z.number().nullable().default(null),
    }),
  ),
})

type FileStamp = Pick<SourceFile, 'sizeBytes' | 'modifiedAtNanoseconds'>

/** Returns the stored index of an item's video if it was read from this version of the file; null for `file` accepts any version. */
export async function findStreamIndex(
  connection: Connection,
  { mediaItemId, file }: { mediaItemId: string; file: FileStamp | null },
): Promise<StreamIndex | undefined> {
  const isSame =
    file === null
      ? sql.fragment`true`
      : sql.fragment`size_bytes = ${file.sizeBytes} and modified_ns = ${file.modifiedAtNanoseconds}::bigint`
  const row = await connection.maybeOne(sql.type(IndexRow)`
    select stream_index, first_microseconds, end_microseconds, frame_count, has_constant_rate, key_frames, key_frame_bytes,
      jumps
    from stream_indexes where media_item_id = ${mediaItemId} and ${isSame}`)
  if (row === null) return undefined
  const { keyFrames, keyFrameBytes, ...index } = row
  return {
    ...index,
    keyFrameMicroseconds: unpackKeyFrames(row.firstMicroseconds, keyFrames),
    keyFrameBytes: unpackNumbers(keyFrameBytes),
  }
}

export type IndexWrite = FileStamp & { mediaItemId: string; index: StreamIndex }

/** Inserts or replaces indexes, at most one per item. */
export async function saveStreamIndexes(connection: Connection, writes: readonly IndexWrite[]): Promise<void> {
  const rows = writes.map(({ mediaItemId, sizeBytes, modifiedAtNanoseconds, index }) => [
    mediaItemId,
    sizeBytes,
    modifiedAtNanoseconds,
    index.streamIndex,
    index.firstMicroseconds,
    index.endMicroseconds,
    index.frameCount,
    index.hasConstantRate,
    packKeyFrames(index.firstMicroseconds, index.keyFrameMicroseconds),
    packNumbers(index.keyFrameBytes),
    JSON.stringify(index.jumps),
  ])
  const types = ['uuid', 'int8', 'int8', 'int4', 'int8', 'int8', 'int4', 'bool', 'bytea', 'bytea', 'jsonb']
  await connection.query(sql.unsafe`
    insert into stream_indexes (media_item_id, size_bytes, modified_ns, stream_index, first_microseconds,
      end_microseconds, frame_count, has_constant_rate, key_frames, key_frame_bytes, jumps)
    select * from ${sql.unnest(rows, types)}
    on conflict (media_item_id) do update set
      size_bytes = excluded.size_bytes, modified_ns = excluded.modified_ns, stream_index = excluded.stream_index,
      first_microseconds = excluded.first_microseconds, end_microseconds = excluded.end_microseconds,
      frame_count = excluded.frame_count, has_constant_rate = excluded.has_constant_rate,
      key_frames = excluded.key_frames, key_frame_bytes = excluded.key_frame_bytes, jumps = excluded.jumps`)
}

const ListedJobRow = JobRow.extend({ itemName: z.string(), lastUsedAt: z.date() })

/** A job with the name of its item. */
export type ListedJob = TranscodeJob & { itemName: string; lastUsedAt: Date }

/** Returns the most recently used jobs of any status. */
export async function listJobs(connection: Connection, limit: number): Promise<readonly ListedJob[]> {
  return connection.any(sql.type(ListedJobRow)`
    select job.id, job.media_item_id, job.profile, job.status, job.variants, job.created_at, job.last_used_at,
      item.name as item_name
    from transcode_jobs job join media_items item on item.id = job.media_item_id
    order by job.last_used_at desc, job.id limit ${limit}`)
}

/** Returns those of these ids that exist. */
export async function existingJobs(connection: Connection, ids: readonly string[]): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from transcode_jobs where id = any(${sql.array([...ids], 'uuid')})`)
}

/** Deletes the jobs that were last used before the given time and returns their ids. */
export async function deleteUnusedJobs(connection: Connection, usedBefore: Date): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    delete from transcode_jobs where last_used_at < ${sql.timestamp(usedBefore)} returning id`)
}

/** Videos without a stored index that may be copied, or whose clock may jump. */
const isUnindexed = sql.fragment`
  i.path is not null and i.missing_since is null and i.metadata->'source'->>'videoStreamIndex' is not null
  and (
    lower(i.metadata->'source'->>'videoCodec') in ('h264', 'avc1', 'avc')
    or i.container = any(${sql.array([...RECORDING_CONTAINERS], 'text')})
  )
  and not exists (select 1 from stream_indexes x where x.media_item_id = i.id)`

const UnindexedRow = z.strictObject({
  id: z.string(),
  path: z.string(),
  streamIndex: z.number(),
  container: z.string().nullable(),
})

/** A film without a stored index; `streamIndex` is that of its video. */
export type UnindexedItem = z.infer<typeof UnindexedRow>

export async function selectUnindexed(
  connection: Connection,
  { libraryId, after, limit }: { libraryId: string; after: UnindexedItem | null; limit: number },
): Promise<UnindexedItem[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`i.id > ${after.id}`
  const rows = await connection.any(sql.type(UnindexedRow)`
    select i.id, i.path, i.container, (i.metadata->'source'->>'videoStreamIndex')::int4 as stream_index
    from media_items i where i.library_id = ${libraryId} and ${isUnindexed} and ${isAfter} order by i.id limit ${limit}`)
  return [...rows]
}

export async function selectUnindexedCount(connection: Connection, libraryId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items i where i.library_id = ${libraryId} and ${isUnindexed}`)
}
