import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const GroupRow = z.strictObject({ id: z.string(), processId: z.string(), state: z.string() })

const ListingRow = z.strictObject({ listing: z.string() })

/** A stored group: the process that has it, and its state as JSON. */
export type GroupRow = z.infer<typeof GroupRow>

/** A state to store; `listing` is the state without what lists do not show. */
type NewState = GroupRow & { listing: string }

/**
 * Stores a new group unless its owner or the server has too many.
 * @returns whether it was stored
 */
export async function insertGroup(
  connection: Connection,
  row: NewState & { ownerId: string; now: Date; maxOfOwner: number; max: number },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into watch_groups (id, owner_id, process_id, state, listing, updated_at)
    select ${row.id}, ${row.ownerId}, ${row.processId}, ${row.state}, ${row.listing}, ${sql.timestamp(row.now)}
    where (select count(*) from watch_groups where owner_id = ${row.ownerId}) < ${row.maxOfOwner}
      and (select count(*) from watch_groups) < ${row.max}`)
  return rowCount > 0
}

export async function selectGroup(connection: Connection, id: string): Promise<GroupRow | undefined> {
  const row = await connection.maybeOne(sql.type(GroupRow)`
    select id, process_id, state from watch_groups where id = ${id}`)
  return row ?? undefined
}

/** The groups of all processes, newest change first. */
export async function selectListings(connection: Connection, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(ListingRow)`
    select listing from watch_groups order by updated_at desc limit ${limit}`)
}

/**
 * Takes a group from a process that has ended.
 * @returns its state; undefined if another process was faster
 */
export async function claimGroup(
  connection: Connection,
  { id, from, to, now }: { id: string; from: string; to: string; now: Date },
): Promise<GroupRow | undefined> {
  const row = await connection.maybeOne(sql.type(GroupRow)`
    update watch_groups set process_id = ${to}, updated_at = ${sql.timestamp(now)}
    where id = ${id} and process_id = ${from}
    returning id, process_id, state`)
  return row ?? undefined
}

/** Stores the state of a group; returns whether this process still has it. */
export async function updateGroup(connection: Connection, row: NewState & { now: Date }): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update watch_groups set state = ${row.state}, listing = ${row.listing}, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} and process_id = ${row.processId}`)
  return rowCount > 0
}

export async function deleteGroup(
  connection: Connection,
  { id, processId }: Pick<GroupRow, 'id' | 'processId'>,
): Promise<void> {
  await connection.query(sql.unsafe`delete from watch_groups where id = ${id} and process_id = ${processId}`)
}

/** Renews the rows of a process, and deletes those that no process has renewed since `before`. */
export async function renewGroups(
  connection: Connection,
  { processId, now, before }: { processId: string; now: Date; before: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update watch_groups set updated_at = ${sql.timestamp(now)} where process_id = ${processId}`)
  await connection.query(sql.unsafe`delete from watch_groups where updated_at < ${sql.timestamp(before)}`)
}
