import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { StorageSnapshot } from '../storage-snapshot.ts'

const IsFreeRow = z.strictObject({ isFree: z.boolean() })

const SnapshotRow = z.strictObject({
  id: z.string(),
  recordedAt: z.date(),
  libraryId: z.string(),
  libraryName: z.string(),
  mediaType: z.string(),
  itemCount: z.number(),
  totalBytes: z.number(),
  transcodeCacheBytes: z.number(),
})

/** The items that are counted; lists of libraries use the same condition. */
const counted = sql.fragment`
  coalesce((select sum(t.count)::int8 from item_tallies t where t.kind = 'counted' and t.library_id = l.id), 0)`

/** Whether a library has no snapshot, an outdated snapshot, or a number of items that differs from its snapshot. */
export async function hasOutdatedStorageSnapshots(
  connection: Connection,
  { before }: { before: Date },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from libraries l
    left join lateral (
      select s.recorded_at, s.item_count from storage_snapshots s
      where s.library_id = l.id order by s.day desc limit 1) s on true
    where s.recorded_at is null or s.recorded_at < ${sql.timestamp(before)} or s.item_count <> ${counted}`)
}

/** The newest snapshot of each library, or all snapshots since a day. Sorted by library name, then newest first. */
export async function selectStorageSnapshots(
  connection: Connection,
  { since }: { since: string | null },
): Promise<readonly StorageSnapshot[]> {
  const isMeant =
    since === null
      ? sql.fragment`s.day = (select max(day) from storage_snapshots n where n.library_id = l.id)`
      : sql.fragment`s.day >= ${since}::date`
  return connection.any(sql.type(SnapshotRow)`
    select s.id, s.recorded_at, s.library_id, l.name as library_name, s.media_type, s.item_count, s.total_bytes,
      s.transcode_cache_bytes
    from storage_snapshots s join libraries l on l.id = s.library_id
    where ${isMeant} order by l.name, l.id, s.day desc`)
}

/** Tries to become the only transaction that measures; the lock lasts until the transaction ends. */
export async function tryLockStorageMeasurement(connection: Connection): Promise<boolean> {
  return connection.oneFirst(sql.type(IsFreeRow)`
    select pg_try_advisory_xact_lock(hashtextextended('phlix:storage', 0)) as is_free`)
}

/** Sets a longer statement timeout than the timeout of the pool for a transaction. */
export async function setStatementTimeout(connection: Connection, seconds: number): Promise<void> {
  await connection.query(sql.unsafe`set local statement_timeout = ${sql.literalValue(`${seconds}s`)}`)
}

/** Writes the snapshot of the day for each library. Missing files are not counted. */
export async function upsertStorageSnapshots(
  connection: Connection,
  { now, day, cacheBytes }: { now: Date; day: string; cacheBytes: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into storage_snapshots (library_id, day, recorded_at, media_type, item_count, total_bytes, transcode_cache_bytes)
    select l.id, ${day}::date, ${sql.timestamp(now)}, l.type, ${counted}, coalesce(b.bytes, 0), ${cacheBytes}::int8
    from libraries l
    left join (
      select library_id, sum(size_bytes)::int8 as bytes from media_items where missing_since is null group by library_id) b
      on b.library_id = l.id
    on conflict (library_id, day) do update set
      recorded_at = excluded.recorded_at, media_type = excluded.media_type, item_count = excluded.item_count,
      total_bytes = excluded.total_bytes, transcode_cache_bytes = excluded.transcode_cache_bytes`)
}

export async function deleteOldStorageSnapshots(connection: Connection, { before }: { before: string }): Promise<void> {
  await connection.query(sql.unsafe`delete from storage_snapshots where day < ${before}::date`)
}
