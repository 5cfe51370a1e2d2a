import { isRowId, type Connection, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import { insertAudit } from '../queries/audit.ts'
import { publishEvent } from '../queries/events.ts'
import { deleteServer, findServer, incrementGeneration, selectServers, setServerDisabled } from '../queries/servers.ts'
import type { HubServer } from '../hub-server.ts'

type Dependencies = { db: Database; clock: Clock }

/** All servers of the hub, by name. */
export function listHubServers({ db }: { db: Connection }): Promise<readonly HubServer[]> {
  return selectServers(db)
}

/**
 * Disables or enables a server. While it is disabled, its tokens are refused, and its tunnel ends at once.
 * @returns its name
 * @throws AppError `server.not_found`
 */
export async function disableHubServer(
  { db, clock }: Dependencies,
  { id, isDisabled, actor }: { id: string; isDisabled: boolean; actor: string },
): Promise<string> {
  return db.transaction(async (connection) => {
    // Events and tokens name servers as the database does, in lower case.
    const serverId = id.toLowerCase()
    const name = isRowId(id) ? await setServerDisabled(connection, { id: serverId, isDisabled }) : undefined
    if (name === undefined) throw hubErrors.server_not_found()
    const action = isDisabled ? 'server.disabled' : 'server.enabled'
    await insertAudit(connection, { action, actor, target: name, serverId, now: clock.now() })
    if (isDisabled) await publishEvent(connection, { kind: 'server_revoked', serverId })
    return name
  })
}

/**
 * An owner removes a server from the hub; a user with whom it is shared gives up the share elsewhere.
 * @throws AppError `server.not_found`, `server.not_owned`
 */
export async function removeHubServer(
  { db, clock }: Dependencies,
  { id, user }: { id: string; user: { id: string; username: string } },
): Promise<void> {
  await db.transaction(async (connection) => {
    const server = await requireOwnedServer(connection, { id, userId: user.id })
    await removeRow(connection, { server, actor: user.username, userId: user.id, now: clock.now() })
  })
}

/** Ends the pairing of a home server at its own request. */
export async function leaveHub({ db, clock }: Dependencies, { serverId }: { serverId: string }): Promise<void> {
  await db.transaction(async (connection) => {
    const server = await findServer(connection, serverId)
    if (server === undefined) return
    await removeRow(connection, { server, actor: `server ${server.name}`, userId: server.ownerId, now: clock.now() })
  })
}

async function removeRow(
  connection: Connection,
  { server, actor, userId, now }: { server: HubServer; actor: string; userId: string; now: Date },
): Promise<void> {
  const { id, name } = server
  // A tunnel that authenticates at the same time sees a newer generation or no row.
  await incrementGeneration(connection, id)
  await deleteServer(connection, id)
  await insertAudit(connection, { action: 'server.removed', actor, target: name, userId, serverId: id, now })
  await publishEvent(connection, { kind: 'server_revoked', serverId: id })
}

/** @throws AppError `server.not_found`, `server.not_owned` */
export async function requireOwnedServer(
  connection: Connection,
  { id, userId }: { id: string; userId: string },
): Promise<HubServer> {
  const server = isRowId(id) ? await findServer(connection, id) : undefined
  if (server === undefined) throw hubErrors.server_not_found()
  if (server.ownerId !== userId) throw hubErrors.server_not_owned()
  return server
}
