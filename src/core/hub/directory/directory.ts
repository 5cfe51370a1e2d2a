import { randomUUID } from 'node:crypto'
import { MEDIA_SERVER_AUDIENCE, SERVER_TOKEN_SCOPE, SERVER_TOKEN_SECONDS } from '../../hub-protocol/index.ts'
import { isRowId, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { hubErrors } from '../errors.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { insertAudit } from '../queries/audit.ts'
import { publishEvent } from '../queries/events.ts'
import { findServer } from '../queries/servers.ts'
import { findShareOnServer } from '../queries/shares.ts'
import { deleteTunnel, findTunnel, renewTunnels, upsertTunnel } from '../queries/tunnels.ts'
import type { RelayDirectory, ServerAccess, TunnelOpening } from '../relay-directory.ts'
import { authenticateServer } from '../servers/enrolment.ts'
import { serverStatus, type HubServer } from '../hub-server.ts'
import type { HubSessions } from '../users/hub-sessions.ts'
import type { EventChannel } from './event-channel.ts'

/** A tunnel counts as closed if its process has not renewed it for this time. */
const SILENT_MILLISECONDS = 60_000

const BEARER = /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

export type DirectoryServices = {
  db: Database
  clock: Clock
  signingKeys: SigningKeys
  sessions: HubSessions
  events: Pick<EventChannel, 'onEvent'>
}

/** Reads what the relay needs from the database of the hub. */
export function createRelayDirectory(services: DirectoryServices): RelayDirectory {
  const { db, clock, sessions, events } = services
  return {
    authenticateServer: (authorization) => authenticateServer(services, authorization),
    async authenticateViewer(authorization) {
      const token = BEARER.exec(authorization ?? '')?.[1]
      if (token === undefined) throw hubErrors.hub_auth_required()
      return { userId: (await sessions.identify(token)).id }
    },
    findServer: (input) => findServerAccess(services, input),
    async issueServerToken(input) {
      return (await issueServerToken(services, input)).token
    },
    tunnelOpened: (input) => openTunnel(services, input),
    tunnelClosed: (input) => deleteTunnel(db, input),
    async tunnelsAlive({ processId }) {
      const now = clock.now()
      return renewTunnels(db, { processId, now, silentSince: silentSince(now) })
    },
    onEvent: (listener) => events.onEvent(listener),
  }
}

function silentSince(now: Date): Date {
  return new Date(now.getTime() - SILENT_MILLISECONDS)
}

/** Whether a user may reach a server now, and over which tunnel. */
export async function findServerAccess(
  { db, clock }: Pick<DirectoryServices, 'db' | 'clock'>,
  { userId, serverId: id }: { userId: string; serverId: string },
): Promise<ServerAccess> {
  const server = isRowId(id) ? await findServer(db, id) : undefined
  if (server === undefined) return { state: 'not_found' }
  const serverId = server.id
  const libraryIds = await readLibraryIds(db, server, userId)
  if (libraryIds === undefined) return { state: 'not_owned' }
  const now = clock.now()
  if (serverStatus(server, now) !== 'online') return { state: 'offline' }
  const tunnel = server.hasTunnel ? await findTunnel(db, { serverId, aliveAfter: silentSince(now) }) : undefined
  return { state: 'online', isOwner: server.ownerId === userId, libraryIds, tunnel: tunnel ?? null }
}

/** The libraries that a user may see; null for all, undefined without access. */
async function readLibraryIds(
  db: Database,
  { id: serverId, ownerId }: HubServer,
  userId: string,
): Promise<readonly string[] | null | undefined> {
  if (ownerId === userId) return null
  return (await findShareOnServer(db, { serverId, userId }))?.libraryIds
}

/**
 * Makes a token with which a user authenticates at a home server (EdDSA). The home server checks it with the public keys of the hub.
 * @throws AppError `server.not_found`, `server.not_owned`, `server.offline`
 */
export async function issueServerToken(
  services: Pick<DirectoryServices, 'db' | 'clock' | 'signingKeys'>,
  input: { userId: string; serverId: string },
): Promise<{ token: string; expiresInSeconds: number }> {
  const access = await findServerAccess(services, input)
  if (access.state === 'not_found') throw hubErrors.server_not_found()
  if (access.state === 'not_owned') throw hubErrors.server_not_owned()
  if (access.state === 'offline') throw hubErrors.server_offline()
  const claims = {
    sub: input.userId,
    server_id: input.serverId.toLowerCase(),
    jti: randomUUID(),
    scope: [...SERVER_TOKEN_SCOPE],
  }
  const options = { audience: MEDIA_SERVER_AUDIENCE, lifetimeSeconds: SERVER_TOKEN_SECONDS }
  return { token: await services.signingKeys.sign(claims, options), expiresInSeconds: SERVER_TOKEN_SECONDS }
}

async function openTunnel(
  { db, clock }: Pick<DirectoryServices, 'db' | 'clock'>,
  input: TunnelOpening,
): Promise<{ tunnelId: string }> {
  const tunnelId = randomUUID()
  const { serverId, remoteAddress } = input
  await db.transaction(async (connection) => {
    const now = clock.now()
    const opened = await upsertTunnel(connection, { ...input, tunnelId, now })
    if (opened === undefined) throw hubErrors.enrolment_refused()
    const { name, replacedId, replacedAddress } = opened
    if (replacedId === null) return
    await publishEvent(connection, { kind: 'tunnel_replaced', serverId, tunnelId: replacedId })
    // A restart of the home server at the same address is not logged.
    if (replacedAddress === remoteAddress) return
    const entry = {
      action: 'server.tunnel_replaced',
      actor: `server ${name}`,
      target: `${name}, before from ${replacedAddress}`,
    }
    await insertAudit(connection, { ...entry, serverId, address: remoteAddress, now })
  })
  return { tunnelId }
}
