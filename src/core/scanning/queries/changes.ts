import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'

const RemovalRow = z.strictObject({ mediaItemId: z.string(), title: z.string() })

type Since = { libraryId: string; since: Date }

/** A statement over a large library may take longer than the limit for requests. */
export async function allowLongStatements(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`set local statement_timeout = '60s'`)
}

/** Returns items (entities that lists count) added since the given time, oldest first. */
export async function selectAddedItems(
  connection: Connection,
  { libraryId, since, limit }: Since & { limit: number },
): Promise<readonly string[]> {
  // Two queries, because each partial index covers only one half.
  const arm = (place: ReturnType<typeof sql.fragment>) => sql.fragment`(
    select id, added_at from media_items
    where library_id = ${libraryId} and role is null and ${place} and added_at >= ${sql.timestamp(since)} and ${isCounted}
    order by added_at, id limit ${limit})`
  return connection.anyFirst(sql.type(IdRow)`
    select id from (
      ${arm(sql.fragment`parent_id is null`)} union all ${arm(sql.fragment`parent_id is not null`)}) added
    order by added_at, id limit ${limit}`)
}

/** Returns items that existed before the given time and have been updated since, oldest update first. */
export async function selectUpdatedItems(
  connection: Connection,
  { libraryId, since, limit }: Since & { limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from media_items where ${isUpdated({ libraryId, since })} order by updated_at, id limit ${limit}`)
}

export async function countUpdatedItems(connection: Connection, which: Since): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items where ${isUpdated(which)}`)
}

export async function countRemovals(connection: Connection, jobId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from scan_removals where scan_job_id = ${jobId}`)
}

export async function insertRemovals(
  connection: Connection,
  { jobId, items }: { jobId: string; items: readonly { id: string; title: string }[] },
): Promise<void> {
  const rows = items.map(({ id, title }) => [jobId, id, title])
  await connection.query(sql.unsafe`
    insert into scan_removals (scan_job_id, media_item_id, title)
    select * from ${sql.unnest(rows, ['uuid', 'uuid', 'text'])} on conflict do nothing`)
}

/** Deletes and returns the recorded removals of a job. */
export async function deleteRemovalsReturning(
  connection: Connection,
  jobId: string,
): Promise<readonly z.infer<typeof RemovalRow>[]> {
  return connection.any(sql.type(RemovalRow)`
    delete from scan_removals where scan_job_id = ${jobId} returning media_item_id, title`)
}

const isCounted = sql.fragment`(path is not null or type = 'audiobook')`

function isUpdated({ libraryId, since }: Since) {
  const at = sql.timestamp(since)
  return sql.fragment`library_id = ${libraryId} and role is null and updated_at >= ${at} and added_at < ${at} and ${isCounted}`
}
