import type { Static } from 'typebox'
import type { SigningServices } from '../../core/services.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import { JsonSizeCheck } from '../../core/platform/json/index.ts'
import { httpErrors } from '../errors.ts'
import { typeGuardFor } from '../http/compile-on-first-use.ts'
import type { TokenService } from '../http/tokens.ts'
import { authenticateBearer } from '../hooks/authentication.ts'
import { toAppError } from '../hooks/errors.ts'
import { connectionSession, type SocketConnection, type ReceivedMessage } from './connection.ts'
import type { NowPlayingDashboard } from './now-playing-dashboard.ts'
import { socketErrors } from './errors.ts'
import { AuthRequest, SocketMessage } from './messages.schemas.ts'
import type { MessageViews } from './messages.view.ts'
import type { PlayerSessions } from './players/players.ts'
import type { WatchGroupSockets } from './watch-groups/watch-group-sockets.ts'

/** Dependencies of the message handlers. */
export type MessageContext = {
  services: Pick<SigningServices, 'findSessionAccount' | 'hubLink' | 'log'>
  tokens: TokenService
  dashboard: NowPlayingDashboard
  watchGroups: Pick<WatchGroupSockets, 'handle'>
  players: Pick<PlayerSessions, 'has' | 'handle'>
  views: MessageViews
}

/** A parsed message, with the server time in milliseconds at its arrival. */
type Incoming = { content: object; receivedAt: number }

type Handler = (context: MessageContext, connection: SocketConnection, incoming: Incoming) => void | Promise<void>

/** Message handlers by type. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['ping', ({ views }, connection) => connection.send(views.pong())],
  ['auth_request', renewAccess],
  ['subscribe_dashboard', subscribeDashboard],
])

const isMessage = typeGuardFor(SocketMessage)
const isAuthRequest = typeGuardFor(AuthRequest)

const SYNCPLAY_PREFIX = 'syncplay_'

/** JSON.stringify fails for a few thousand levels, and parts of a message are sent to others. */
const MAX_LEVELS = 32

/** Handles a message and sends the reply. Errors are replies too and do not close the connection. */
export async function handleMessage(
  context: MessageContext,
  connection: SocketConnection,
  frame: ReceivedMessage,
): Promise<void> {
  const { services, views } = context
  let type = ''
  try {
    const content = parse(frame)
    type = content.type
    const incoming = { content, receivedAt: frame.receivedAt }
    if (isSyncplay(type)) return await context.watchGroups.handle(connection, { type, ...incoming })
    if (context.players.has(type)) return context.players.handle(connection, type, content)
    const handler = HANDLERS.get(type)
    if (handler === undefined) throw socketErrors.unknown_type()
    await handler(context, connection, incoming)
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.kind === 'failed') {
      // Not the whole error: database errors contain values of the statement.
      const stack = thrown instanceof Error ? thrown.stack : undefined
      services.log.error({ type, reason: describeError(thrown), stack }, 'a WebSocket message failed')
    }
    connection.send(isSyncplay(type) ? views.syncplayError(error) : views.error(error))
  }
}

function isSyncplay(type: string): boolean {
  return type.startsWith(SYNCPLAY_PREFIX)
}

function parse({ bytes, isBinary }: ReceivedMessage): Static<typeof SocketMessage> {
  if (isBinary || !Buffer.isBuffer(bytes)) throw socketErrors.invalid_message({ message: 'messages are JSON text' })
  if (!new JsonSizeCheck({ maxLevels: MAX_LEVELS }).accepts(bytes))
    throw socketErrors.invalid_message({ message: `a message has at most ${MAX_LEVELS} levels` })
  let content: unknown
  try {
    content = JSON.parse(bytes.toString())
  } catch (error) {
    throw socketErrors.invalid_message({ message: 'the message is not JSON', cause: error })
  }
  return expect(isMessage, content, 'a message is an object with a type')
}

function expect<Fitting>(fits: (content: unknown) => content is Fitting, content: unknown, rule: string): Fitting {
  if (!fits(content)) throw socketErrors.invalid_message({ message: rule })
  return content
}

/** Accepts a newer access token of the same profile, which extends the lifetime of the connection. */
async function renewAccess(
  { services, tokens, views }: MessageContext,
  connection: SocketConnection,
  { content }: Incoming,
) {
  const { data } = expect(isAuthRequest, content, 'auth_request needs data.token')
  try {
    const identity = await authenticateBearer({ services, tokens }, data.token)
    // What a connection is part of, such as a group, belongs to its profile.
    if (identity.account.profile.id !== connection.account.profile.id) throw httpErrors.auth_required()
    connection.account = identity.account
    connection.sessionId = identity.sessionId
    connection.expiresAt = identity.expiresAt
    connection.send(views.authSuccess(connection))
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.kind !== 'unauthenticated') throw error
    connection.send(views.authFailure(error))
  }
}

/** The permission is read from the database, as for every request. */
async function subscribeDashboard(
  { services, dashboard }: MessageContext,
  connection: SocketConnection,
): Promise<void> {
  const account = await services.findSessionAccount(connectionSession(connection))
  if (account?.status !== 'active' || !account.isAdmin) throw httpErrors.not_admin()
  await dashboard.add(connection)
}
