import { randomUUID } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import type { SessionInProfile, SignedInAccount } from '../../core/accounts/index.ts'
import { rateLimitedError } from '../../core/platform/rate-limits/index.ts'
import type { Clock } from '../../core/platform/time/index.ts'
import type { AuthenticatedClient } from './handshake.ts'
import { createMessageRateLimit, type TokenBucket } from './message-rate-limit.ts'
import type { MessageViews } from './messages.view.ts'

/** Close codes of the server. Clients know 4001 as an invalid token. */
export const CLOSE_CODES = { goingAway: 1001, accessEnded: 4001, silent: 4408, tooManyMessages: 4429 } as const

const PING_MILLISECONDS = 30_000

/** A connection is stale after this time without traffic. */
const SILENCE_MILLISECONDS = 300_000

/** Maximum of unsent bytes for a client that does not read. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** An open WebSocket of one account. */
export type SocketConnection = {
  readonly id: string
  readonly room: string | null
  /** The account and its profile as of the last check. */
  account: SignedInAccount
  /** The session of the token. */
  sessionId: string
  /** Expiry of the token in Unix seconds. */
  expiresAt: number
  isOpen(): boolean
  /** Sends an object as JSON; does nothing once the connection is closing. A client that does not read is disconnected. */
  send(message: object): void
  /** The same for a JSON text. */
  sendText(text: string): void
  close(code: number, reason: string): void
  /** Closes the connection after 300 s without traffic; sends a ping after 30 s. */
  watch(): void
}

/** The session of a connection, in the profile of its token: a connection ends when its session continues in another profile. */
export function connectionSession({
  account,
  sessionId,
}: Pick<SocketConnection, 'account' | 'sessionId'>): SessionInProfile {
  return { accountId: account.id, sessionId, profileId: account.profile.id, epoch: account.epoch }
}

/** A received message, with the server time in milliseconds. */
export type ReceivedMessage = { bytes: RawData; isBinary: boolean; receivedAt: number }

type Parts = {
  socket: WebSocket
  authenticated: AuthenticatedClient
  /** The messages that all connections of the account have left. */
  accountMessages: TokenBucket
  clock: Clock
  views: MessageViews
}

type Handlers = {
  /** Called in the next tick; messages are handled when it has ended. It must not reject. */
  onOpen: (connection: SocketConnection) => Promise<void>
  onFrame: (connection: SocketConnection, frame: ReceivedMessage) => Promise<void>
}

/** Opens a connection. Messages are handled one at a time, in order. */
export function openConnection(
  { socket, authenticated, accountMessages, clock, views }: Parts,
  { onOpen, onFrame }: Handlers,
): SocketConnection {
  const rateLimit = createMessageRateLimit(clock, accountMessages)
  let activeAtMilliseconds = clock.monotonicMilliseconds()
  let pingedAtMilliseconds = activeAtMilliseconds
  let queue = Promise.resolve().then(() => onOpen(connection))

  /** Records activity and returns whether the message is within the rate limit. */
  function recordActivity(): boolean {
    activeAtMilliseconds = clock.monotonicMilliseconds()
    if (!connection.isOpen()) return false
    const verdict = rateLimit.take()
    if (verdict === 'too_many')
      connection.send(views.error(rateLimitedError(1000, 'Too many messages in a short time')))
    if (verdict === 'exhausted') {
      connection.close(CLOSE_CODES.tooManyMessages, 'too many messages')
      // Further data is not read; the library ends the connection after a moment.
      socket.pause()
    }
    return verdict === 'fine'
  }

  const connection: SocketConnection = {
    ...authenticated,
    id: randomUUID(),
    isOpen: () => socket.readyState === socket.OPEN,
    send: (message) => connection.sendText(JSON.stringify(message)),
    sendText(text) {
      if (!connection.isOpen()) return
      // Tested before the write: one message alone may be longer, on a connection that has sent everything before it.
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.terminate()
      socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    watch() {
      const now = clock.monotonicMilliseconds()
      if (!connection.isOpen()) return
      if (now - activeAtMilliseconds >= SILENCE_MILLISECONDS) return connection.close(CLOSE_CODES.silent, 'no traffic')
      if (now - Math.max(activeAtMilliseconds, pingedAtMilliseconds) < PING_MILLISECONDS) return
      pingedAtMilliseconds = now
      socket.ping()
    },
  }

  socket.on('message', (bytes, isBinary) => {
    const frame = { bytes, isBinary, receivedAt: views.serverMilliseconds() }
    if (recordActivity()) queue = queue.then(() => onFrame(connection, frame))
  })
  socket.on('ping', recordActivity).on('pong', recordActivity)
  return connection
}
