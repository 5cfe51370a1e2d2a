import { sql } from 'slonik'
import { z } from 'zod'
import type { HeartbeatMember } from '../hub-protocol/index.ts'
import { IdRow, type Connection } from '../platform/database/index.ts'

const MemberRow = z.strictObject({
  hubUserId: z.string(),
  username: z.string(),
  isOwner: z.boolean(),
  libraryIds: z.array(z.string()).nullable(),
  accountId: z.string().nullable(),
  sessionId: z.string().nullable(),
})

/** A user of the hub who may use this server. */
export type HubMember = z.infer<typeof MemberRow>

/** A person whom the hub still names. */
export async function findHubMember(connection: Connection, hubUserId: string): Promise<HubMember | undefined> {
  const row = await connection.maybeOne(sql.type(MemberRow)`
    select hub_user_id, username, is_owner, library_ids, account_id, session_id
    from hub_members where hub_user_id = ${hubUserId} and is_active`)
  return row ?? undefined
}

const EndedRow = z.strictObject({ accountId: z.string(), sessionId: z.string() })

/**
 * Stores whom the hub names now. Unchanged rows are not written.
 * @returns the sessions of users whom it no longer lists
 */
export async function replaceHubMembers(
  connection: Connection,
  members: readonly HeartbeatMember[],
  now: Date,
): Promise<readonly z.infer<typeof EndedRow>[]> {
  const rows = members.map(({ user_id: id, username, is_owner: isOwner, library_ids: libraryIds }) => ({
    id,
    username,
    isOwner,
    libraryIds,
  }))
  await connection.query(sql.unsafe`
    insert into hub_members as kept (hub_user_id, username, is_owner, library_ids, is_active, updated_at)
    select (m->>'id')::uuid, m->>'username', (m->>'isOwner')::boolean, nullif(m->'libraryIds', 'null'), true, ${sql.timestamp(now)}
    from jsonb_array_elements(${sql.jsonb(rows)}) m
    on conflict (hub_user_id) do update set username = excluded.username, is_owner = excluded.is_owner,
      library_ids = excluded.library_ids, is_active = true, updated_at = excluded.updated_at
    where (kept.username, kept.is_owner, kept.is_active) is distinct from (excluded.username, excluded.is_owner, true)
      or kept.library_ids is distinct from excluded.library_ids`)
  return connection.any(sql.type(EndedRow)`
    with ended as (
      update hub_members set is_active = false, updated_at = ${sql.timestamp(now)}
      where is_active and not hub_user_id = any (${sql.array(
        rows.map(({ id }) => id),
        'uuid',
      )})
      returning session_id)
    select f.user_id as account_id, f.id as session_id from ended join refresh_families f on f.id = ended.session_id
    where f.revoked_at is null`)
}

export async function setMemberAccount(
  connection: Connection,
  { hubUserId, accountId }: { hubUserId: string; accountId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_members set account_id = ${accountId} where hub_user_id = ${hubUserId}`)
}

export async function setMemberSession(
  connection: Connection,
  { hubUserId, sessionId }: { hubUserId: string; sessionId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_members set session_id = ${sessionId} where hub_user_id = ${hubUserId}`)
}

const RevokedRow = z.strictObject({ revokedAt: z.date().nullable() })

/** When a session was ended; null if it is active, undefined if it is no longer stored. */
export async function findSessionEnd(connection: Connection, sessionId: string): Promise<Date | null | undefined> {
  const row = await connection.maybeOne(sql.type(RevokedRow)`
    select revoked_at from refresh_families where id = ${sessionId}`)
  return row === null ? undefined : row.revokedAt
}

/** The oldest active administrator. */
export async function findFirstAdministrator(connection: Connection): Promise<string | undefined> {
  const id = await connection.maybeOneFirst(sql.type(IdRow)`
    select id from users where is_admin and status = 'active' order by created_at, id limit 1`)
  return id ?? undefined
}

const ActivityRow = z.strictObject({ players: z.number(), transcodes: z.number() })

/** The numbers of players that reported since a time, and of transcode jobs that run. */
export async function countActivity(
  connection: Connection,
  { playingSince }: { playingSince: Date },
): Promise<z.infer<typeof ActivityRow>> {
  return connection.one(sql.type(ActivityRow)`
    select
      (select count(*)::int8 from playback_sessions where ended_at is null and updated_at > ${sql.timestamp(playingSince)}) as players,
      (select count(*)::int8 from transcode_jobs where status = 'running') as transcodes`)
}
