import { sql } from 'slonik'
import { z } from 'zod'
import type { KnownKey } from '../../hub-protocol/index.ts'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { HubServer } from '../hub-server.ts'

const Keys = z.array(z.strictObject({ kid: z.string(), x: z.string() }))
const Libraries = z.array(z.strictObject({ library_id: z.string(), library_name: z.string() }))

const ServerRow = z.strictObject({
  id: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  name: z.string(),
  version: z.string(),
  publicKeys: Keys,
  isKeyProven: z.boolean(),
  generation: z.number(),
  isDisabled: z.boolean(),
  hostnameCandidates: z.array(z.string()),
  libraries: Libraries,
  capabilities: z.array(z.string()),
  activeSessions: z.number(),
  activeTranscodes: z.number(),
  lastSeenAt: z.date().nullable(),
  lastAddress: z.string().nullable(),
  heartbeatSeconds: z.number(),
  createdAt: z.date(),
  hasTunnel: z.boolean(),
})

const columns = sql.fragment`
  s.id, s.owner_id, u.username as owner_name, s.name, s.version, s.public_keys, s.is_key_proven, s.generation, s.is_disabled,
  s.hostname_candidates, s.libraries, s.capabilities, s.active_sessions, s.active_transcodes, s.last_seen_at, s.last_address,
  s.heartbeat_seconds, s.created_at, t.tunnel_id is not null as has_tunnel`

const tables = sql.fragment`
  hub_servers s join hub_users u on u.id = s.owner_id left join hub_tunnels t on t.server_id = s.id`

export async function findServer(connection: Connection, id: string): Promise<HubServer | undefined> {
  return (
    (await connection.maybeOne(sql.type(ServerRow)`select ${columns} from ${tables} where s.id = ${id}`)) ?? undefined
  )
}

/** All servers, by name. */
export async function selectServers(connection: Connection): Promise<readonly HubServer[]> {
  return connection.any(sql.type(ServerRow)`
    select ${columns} from ${tables} order by lower(s.name), s.id limit 10000`)
}

const SharedServerRow = ServerRow.extend({ sharedLibraryIds: z.array(z.string()).nullable() })

/** The servers that a user owns or that are shared with the user. */
export async function selectServersOfUser(
  connection: Connection,
  userId: string,
): Promise<readonly z.infer<typeof SharedServerRow>[]> {
  return connection.any(sql.type(SharedServerRow)`
    select ${columns}, h.library_ids as shared_library_ids
    from ${tables} left join hub_shares h on h.server_id = s.id and h.user_id = ${userId}
    where s.owner_id = ${userId} or h.id is not null order by lower(s.name), s.id limit 1000`)
}

type PairedServer = {
  ownerId: string
  name: string
  version: string
  publicKeys: readonly KnownKey[]
  isKeyProven: boolean
  keyThumbprint: string
  hostnameCandidates: readonly string[]
  now: Date
}

const PairedRow = z.strictObject({ id: z.string(), generation: z.number() })

/**
 * Inserts a server. A server with the same key and the same owner is the same server, and its older tokens become invalid. The server must
 * prove that it has the key, because the public key is no secret.
 */
export async function upsertServer(connection: Connection, row: PairedServer): Promise<z.infer<typeof PairedRow>> {
  const [keys, candidates] = [
    sql.jsonb(row.publicKeys.map((key) => ({ ...key }))),
    sql.jsonb([...row.hostnameCandidates]),
  ]
  return connection.one(sql.type(PairedRow)`
    insert into hub_servers (owner_id, name, version, public_keys, is_key_proven, key_thumbprint, hostname_candidates, created_at)
    values (${row.ownerId}, ${row.name}, ${row.version}, ${keys}, ${row.isKeyProven}, ${row.keyThumbprint}, ${candidates},
      ${sql.timestamp(row.now)})
    on conflict (owner_id, key_thumbprint) do update set name = excluded.name, version = excluded.version,
      public_keys = excluded.public_keys, is_key_proven = excluded.is_key_proven, hostname_candidates = excluded.hostname_candidates,
      generation = hub_servers.generation + 1, last_seen_at = null
    returning id, generation`)
}

export async function countServersOfUser(connection: Connection, ownerId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from hub_servers where owner_id = ${ownerId}`)
}

const CurrentRow = z.strictObject({ generation: z.number() })

/** The generation of a server that is not disabled. */
export async function findEnrolmentGeneration(connection: Connection, id: string): Promise<number | undefined> {
  const generation = await connection.maybeOneFirst(sql.type(CurrentRow)`
    select generation from hub_servers where id = ${id} and not is_disabled`)
  return generation ?? undefined
}

/** Stores the time of a proof. A proof that is not newer than the last one is refused, so that each is accepted once. */
export async function acceptProofOnce(
  connection: Connection,
  { id, issuedAt }: { id: string; issuedAt: number },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.unsafe`
    update hub_servers set last_proof_at = ${issuedAt}
    where id = ${id} and last_proof_at < ${issuedAt} and not is_disabled and is_key_proven`)
  return rowCount > 0
}

/** Makes all tokens of a server invalid that were issued until now. */
export async function incrementGeneration(connection: Connection, id: string): Promise<number> {
  return connection.oneFirst(sql.type(CurrentRow)`
    update hub_servers set generation = generation + 1 where id = ${id} returning generation`)
}

/**
 * Replaces the keys of a server. The newest key identifies the server at the next pairing, unless another server of the owner has the same
 * key.
 */
export async function updatePublicKeys(
  connection: Connection,
  { id, publicKeys, keyThumbprint }: { id: string; publicKeys: readonly KnownKey[]; keyThumbprint: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update hub_servers s set public_keys = ${sql.jsonb(publicKeys.map((key) => ({ ...key })))},
      key_thumbprint = case when exists (
        select 1 from hub_servers o where o.owner_id = s.owner_id and o.key_thumbprint = ${keyThumbprint})
        then s.key_thumbprint else ${keyThumbprint} end
    where s.id = ${id}`)
}

export type HeartbeatRow = Pick<
  HubServer,
  'generation' | 'version' | 'activeSessions' | 'activeTranscodes' | 'heartbeatSeconds'
> & {
  id: string
  hostnameCandidates: readonly string[]
  libraries: HubServer['libraries']
  capabilities: readonly string[]
  address: string
  now: Date
}

const MemberRow = z.strictObject({
  userId: z.string(),
  username: z.string(),
  isOwner: z.boolean(),
  libraryIds: z.array(z.string()).nullable(),
})

const BeforeRow = z.strictObject({ name: z.string(), lastAddress: z.string().nullable(), members: z.array(MemberRow) })

/**
 * Stores a heartbeat, in one statement: thousands of servers send one each minute. Undefined when the token of the server was replaced, or
 * the server is disabled or removed.
 * @returns name and address before it, and the active users who may use the server, its owner first
 */
export async function updateHeartbeat(
  connection: Connection,
  row: HeartbeatRow,
): Promise<z.infer<typeof BeforeRow> | undefined> {
  const found = await connection.maybeOne(sql.type(BeforeRow)`
    with before as (
      select id, owner_id, name, last_address from hub_servers
      where id = ${row.id} and generation = ${row.generation} and not is_disabled),
    updated as (
      update hub_servers s set version = ${row.version}, active_sessions = ${row.activeSessions},
        active_transcodes = ${row.activeTranscodes}, heartbeat_seconds = ${row.heartbeatSeconds},
        hostname_candidates = ${sql.jsonb([...row.hostnameCandidates])}, libraries = ${sql.jsonb(row.libraries)},
        capabilities = ${sql.jsonb([...row.capabilities])}, last_address = ${row.address}, last_seen_at = ${sql.timestamp(row.now)}
      from before where s.id = before.id),
    access as (
      select owner_id as user_id, true as is_owner, null::jsonb as library_ids from before
      union all
      select h.user_id, false, h.library_ids from before join hub_shares h on h.server_id = before.id and h.user_id <> before.owner_id)
    select name, last_address, coalesce((
      select jsonb_agg(jsonb_build_object('userId', u.id, 'username', u.username, 'isOwner', a.is_owner, 'libraryIds', a.library_ids)
        order by a.is_owner desc, u.username)
      from access a join hub_users u on u.id = a.user_id where u.status = 'active'), '[]') as members
    from before`)
  return found ?? undefined
}

/** @returns the name; undefined when there is no such server */
export async function setServerDisabled(
  connection: Connection,
  { id, isDisabled }: { id: string; isDisabled: boolean },
): Promise<string | undefined> {
  const name = await connection.maybeOneFirst(sql.type(NameRow)`
    update hub_servers set is_disabled = ${isDisabled} where id = ${id} returning name`)
  return name ?? undefined
}

const NameRow = z.strictObject({ name: z.string() })

export async function deleteServer(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from hub_servers where id = ${id}`)
}

const TotalsRow = z.strictObject({ total: z.number(), online: z.number(), tunnels: z.number() })

/** Numbers for the dashboard. */
export async function countServers(connection: Connection, now: Date): Promise<z.infer<typeof TotalsRow>> {
  return connection.one(sql.type(TotalsRow)`
    select count(*) as total,
      count(*) filter (where not is_disabled and last_seen_at + make_interval(secs => heartbeat_seconds * 3) >= ${sql.timestamp(now)}) as online,
      (select count(*) from hub_tunnels) as tunnels
    from hub_servers`)
}
