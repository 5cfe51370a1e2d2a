import { sql } from 'slonik'
import { z } from 'zod'
import { IdRow, acquireNamedLock, type Connection } from '../platform/database/index.ts'

const GroupRow = z.strictObject({ processId: z.string(), state: z.string(), ageMilliseconds: z.number() })

const ListingRow = z.strictObject({ listing: z.string(), ageMilliseconds: z.number() })

/** The time since the state was stored, by the clock of the database, which all processes share. */
const AGE = sql.fragment`(extract(epoch from clock_timestamp() - stored_at) * 1000)::float8 as age_milliseconds`

/** A stored group: the process that has it, its state as JSON, and the time since it was stored. */
export type GroupRow = z.infer<typeof GroupRow>

/** A state to store; `listing` is the state without what lists do not show. */
type NewState = { id: string; processId: string; state: string; listing: string }

/**
 * Stores a new group unless its owner or the server has too many. Rows that were not renewed for `forgetMilliseconds` do not count.
 * @param transaction a transaction: others that create groups wait for its end, so that none is counted too late
 * @returns whether it was stored
 */
export async function insertGroup(
  transaction: Connection,
  row: NewState & { ownerId: string; maxOfOwner: number; max: number; forgetMilliseconds: number },
): Promise<boolean> {
  await acquireNamedLock(transaction, 'watch groups')
  const isRenewed = sql.fragment`updated_at > now() - ${row.forgetMilliseconds} * interval '1 millisecond'`
  const { rowCount } = await transaction.query(sql.unsafe`
    insert into watch_groups (id, owner_id, process_id, state, listing, stored_at, updated_at)
    select ${row.id}, ${row.ownerId}, ${row.processId}, ${row.state}, ${row.listing}, clock_timestamp(), now()
    where (select count(*) from watch_groups where owner_id = ${row.ownerId} and ${isRenewed}) < ${row.maxOfOwner}
      and (select count(*) from watch_groups where ${isRenewed}) < ${row.max}`)
  return rowCount > 0
}

export async function selectGroup(connection: Connection, id: string): Promise<GroupRow | undefined> {
  const row = await connection.maybeOne(sql.type(GroupRow)`
    select process_id, state, ${AGE} from watch_groups where id = ${id}`)
  return row ?? undefined
}

/** The groups of all processes, newest change first. Rows that were not renewed for `maxAgeMilliseconds` belong to processes that have ended. */
export async function selectGroupListings(
  connection: Connection,
  { limit, maxAgeMilliseconds }: { limit: number; maxAgeMilliseconds: number },
): Promise<readonly z.infer<typeof ListingRow>[]> {
  return connection.any(sql.type(ListingRow)`
    select listing, ${AGE} from watch_groups
    where updated_at > now() - ${maxAgeMilliseconds} * interval '1 millisecond'
    order by updated_at desc limit ${limit}`)
}

/**
 * Takes a group from a process that has ended.
 * @returns its state; undefined if another process was faster
 */
export async function claimGroup(
  connection: Connection,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<GroupRow | undefined> {
  const row = await connection.maybeOne(sql.type(GroupRow)`
    update watch_groups set process_id = ${to}, updated_at = now()
    where id = ${id} and process_id = ${from}
    returning process_id, state, ${AGE}`)
  return row ?? undefined
}

/** Stores the state of a group; returns whether this process still has it. */
export async function updateGroup(connection: Connection, row: NewState): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update watch_groups set state = ${row.state}, listing = ${row.listing}, stored_at = clock_timestamp(), updated_at = now()
    where id = ${row.id} and process_id = ${row.processId}`)
  return rowCount > 0
}

export async function deleteGroup(
  connection: Connection,
  { id, processId }: Pick<NewState, 'id' | 'processId'>,
): Promise<void> {
  await connection.query(sql.unsafe`delete from watch_groups where id = ${id} and process_id = ${processId}`)
}

/** Those of the groups that a process has. */
export async function selectOwnedGroupIds(
  connection: Connection,
  { ids, processId }: { ids: readonly string[]; processId: string },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select id from watch_groups where id = any(${sql.array(ids, 'uuid')}) and process_id = ${processId}`)
}

/** A row of a group that is being created or taken over is not yet among the groups of its process. */
const NEW_ROW = sql.fragment`interval '1 minute'`

/**
 * Renews the rows of the groups of a process. Deletes its other rows, and those of all processes that were not renewed for
 * `forgetMilliseconds`.
 */
export async function renewGroups(
  connection: Connection,
  { ids, processId, forgetMilliseconds }: { ids: readonly string[]; processId: string; forgetMilliseconds: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    update watch_groups set updated_at = now() where id = any(${sql.array(ids, 'uuid')}) and process_id = ${processId}`)
  await connection.query(sql.unsafe`
    delete from watch_groups
    where updated_at < now() - ${forgetMilliseconds} * interval '1 millisecond'
      or (process_id = ${processId} and updated_at < now() - ${NEW_ROW} and id <> all(${sql.array(ids, 'uuid')}))`)
}
