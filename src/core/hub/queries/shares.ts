import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'

const LibraryIds = z.array(z.string()).nullable()

const ShareRow = z.strictObject({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  userId: z.string(),
  username: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  libraryIds: LibraryIds,
  createdAt: z.date(),
})

/** The access of a user to a server of another user. */
export type ServerShare = z.infer<typeof ShareRow>

const shareColumns = sql.fragment`
  h.id, h.server_id, s.name as server_name, h.user_id, u.username, s.owner_id, o.username as owner_name, h.library_ids, h.created_at
  from hub_shares h join hub_servers s on s.id = h.server_id join hub_users u on u.id = h.user_id
  join hub_users o on o.id = s.owner_id`

/** The shares that a user has given and received. */
export async function selectSharesOfUser(connection: Connection, userId: string): Promise<readonly ServerShare[]> {
  return connection.any(sql.type(ShareRow)`
    select ${shareColumns} where s.owner_id = ${userId} or h.user_id = ${userId} order by h.created_at desc limit 1000`)
}

export async function findShare(connection: Connection, id: string): Promise<ServerShare | undefined> {
  return (await connection.maybeOne(sql.type(ShareRow)`select ${shareColumns} where h.id = ${id}`)) ?? undefined
}

const AccessRow = z.strictObject({ libraryIds: LibraryIds })

/** The share of a user on a server. */
export async function findShareOnServer(
  connection: Connection,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<z.infer<typeof AccessRow> | undefined> {
  const row = await connection.maybeOne(sql.type(AccessRow)`
    select library_ids from hub_shares where server_id = ${serverId} and user_id = ${userId}`)
  return row ?? undefined
}

type NewShare = { serverId: string; userId: string; libraryIds: readonly string[] | null; now: Date }

/** Inserts a share, or replaces the libraries of the existing one. */
export async function upsertShare(connection: Connection, row: NewShare): Promise<string> {
  return connection.oneFirst(sql.type(IdRow)`
    insert into hub_shares (server_id, user_id, library_ids, created_at)
    values (${row.serverId}, ${row.userId}, ${row.libraryIds === null ? null : sql.jsonb([...row.libraryIds])}, ${sql.timestamp(row.now)})
    on conflict (server_id, user_id) do update set library_ids = excluded.library_ids returning id`)
}

export async function deleteShare(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_shares where id = ${id}`)
}

/** Shares and open invitations of a server. */
export async function countSharesAndInvites(connection: Connection, serverId: string, now: Date): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select (select count(*) from hub_shares where server_id = ${serverId})
      + (select count(*) from hub_invites where server_id = ${serverId} and used_at is null and expires_at > ${sql.timestamp(now)}) as count`)
}

const InviteRow = z.strictObject({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  libraryIds: LibraryIds,
  createdAt: z.date(),
  expiresAt: z.date(),
  usedAt: z.date().nullable(),
})

/** An invitation to a server. */
export type InviteLink = z.infer<typeof InviteRow>

const inviteColumns = sql.fragment`
  i.id, i.server_id, s.name as server_name, i.library_ids, i.created_at, i.expires_at, i.used_at`

export async function insertInviteLink(
  connection: Connection,
  row: Omit<NewShare, 'userId'> & { codeDigest: Buffer; expiresAt: Date },
): Promise<string> {
  return connection.oneFirst(sql.type(IdRow)`
    insert into hub_invites (code_digest, server_id, library_ids, created_at, expires_at)
    values (${sql.binary(row.codeDigest)}, ${row.serverId}, ${row.libraryIds === null ? null : sql.jsonb([...row.libraryIds])},
      ${sql.timestamp(row.now)}, ${sql.timestamp(row.expiresAt)}) returning id`)
}

/** The invitations to the servers of a user, newest first. */
export async function selectInvitesOfUser(connection: Connection, ownerId: string): Promise<readonly InviteLink[]> {
  return connection.any(sql.type(InviteRow)`
    select ${inviteColumns} from hub_invites i join hub_servers s on s.id = i.server_id
    where s.owner_id = ${ownerId} order by i.created_at desc limit 1000`)
}

const UsableRow = z.strictObject({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  ownerId: z.string(),
  libraryIds: LibraryIds,
})

/** The usable invitation with this code, locked until the transaction ends. */
export async function lockInviteLink(
  connection: Connection,
  { codeDigest, now }: { codeDigest: Buffer; now: Date },
): Promise<z.infer<typeof UsableRow> | undefined> {
  const row = await connection.maybeOne(sql.type(UsableRow)`
    select i.id, i.server_id, s.name as server_name, s.owner_id, i.library_ids
    from hub_invites i join hub_servers s on s.id = i.server_id
    where i.code_digest = ${sql.binary(codeDigest)} and i.used_at is null and i.expires_at > ${sql.timestamp(now)} for update of i`)
  return row ?? undefined
}

export async function markInviteUsed(
  connection: Connection,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_invites set used_at = ${sql.timestamp(now)}, used_by = ${userId} where id = ${id}`)
}

/** @returns whether the owner had such an invitation */
export async function deleteInviteLink(
  connection: Connection,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from hub_invites i using hub_servers s where s.id = i.server_id and i.id = ${id} and s.owner_id = ${ownerId}`)
  return rowCount > 0
}
