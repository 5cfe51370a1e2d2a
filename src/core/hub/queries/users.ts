import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'
import { HUB_USER_STATUSES, type HubUser } from '../hub-user.ts'

const columns = sql.fragment`id, username, email, is_admin, status, created_at, updated_at`

const UserRow = z.strictObject({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  status: z.enum(HUB_USER_STATUSES),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const CredentialsRow = UserRow.extend({ passwordHash: z.string() })

type NewUser = { username: string; email: string; passwordHash: string; isAdmin: boolean; now: Date }

/** Unique violations are `hub_users_username_key` and `hub_users_email_key`. */
export async function insertUser(connection: Connection, row: NewUser): Promise<HubUser> {
  const now = sql.timestamp(row.now)
  return connection.one(sql.type(UserRow)`
    insert into hub_users (username, email, password_hash, is_admin, created_at, updated_at)
    values (${row.username}, ${row.email}, ${row.passwordHash}, ${row.isAdmin}, ${now}, ${now}) returning ${columns}`)
}

export async function findUserById(connection: Connection, id: string): Promise<HubUser | undefined> {
  return (await connection.maybeOne(sql.type(UserRow)`select ${columns} from hub_users where id = ${id}`)) ?? undefined
}

/** By username or e-mail address, without regard to case. */
export async function findHubCredentials(
  connection: Connection,
  name: string,
): Promise<z.infer<typeof CredentialsRow> | undefined> {
  const row = await connection.maybeOne(sql.type(CredentialsRow)`
    select ${columns}, password_hash from hub_users
    where lower(username) = lower(${name}) or lower(email) = lower(${name})`)
  return row ?? undefined
}

export async function selectUsers(connection: Connection): Promise<readonly HubUser[]> {
  return connection.any(sql.type(UserRow)`select ${columns} from hub_users order by lower(username), id limit 10000`)
}

export async function countUsers(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) as count from hub_users`)
}

/** Serialises changes of the number of administrators until the transaction ends. */
export async function lockHubAdministrators(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:hub-administrators', 0))`)
}

export async function hasOtherAdministrator(connection: Connection, id: string): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from hub_users where is_admin and status = 'active' and id <> ${id}`)
}

type Changes = Partial<Pick<HubUser, 'username' | 'email' | 'isAdmin' | 'status'>> & { passwordHash?: string }

/** Absent fields are unchanged. Undefined when there is no such user. */
export async function updateUser(
  connection: Connection,
  { id, now, ...row }: Changes & { id: string; now: Date },
): Promise<HubUser | undefined> {
  const found = await connection.maybeOne(sql.type(UserRow)`
    update hub_users set username = coalesce(${row.username ?? null}, username), email = coalesce(${row.email ?? null}, email),
      password_hash = coalesce(${row.passwordHash ?? null}, password_hash), is_admin = coalesce(${row.isAdmin ?? null}, is_admin),
      status = coalesce(${row.status ?? null}, status), updated_at = ${sql.timestamp(now)}
    where id = ${id} returning ${columns}`)
  return found ?? undefined
}

/** Deletes a user with the user's servers, shares and sessions. */
export async function deleteUser(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_users where id = ${id}`)
}

/** The servers that a user owns. */
export async function selectOwnServers(connection: Connection, userId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`select id from hub_servers where owner_id = ${userId}`)
}

/** The servers that are shared with a user. */
export async function selectSharedServers(connection: Connection, userId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`select server_id as id from hub_shares where user_id = ${userId}`)
}
