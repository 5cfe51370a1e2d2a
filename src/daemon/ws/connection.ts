import { randomUUID } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import type { Account, Session } from '../../core/accounts/index.ts'
import { rateLimitedError } from '../../core/platform/rate-limits/index.ts'
import type { Clock } from '../../core/platform/time/index.ts'
import type { AuthenticatedClient } from './handshake.ts'
import { createAllowance } from './message-allowance.ts'
import type { MessageViews } from './messages.view.ts'

/** Why the server closes a connection; 4001 is what clients know for a token that is not good (document 4, section 7). */
export const CLOSE = { goingAway: 1001, accessEnded: 4001, silent: 4408, tooManyMessages: 4429 } as const

const PING_MILLISECONDS = 30_000

/** A connection is stale after this time without any traffic (document 2, Limits). */
const SILENCE_MILLISECONDS = 300_000

/** What may wait for a client that does not read. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** One open WebSocket of one account. */
export type Connection = {
  readonly id: string
  readonly room: string | null
  /** As the last check has read it. */
  account: Account
  /** The session that its token belongs to. */
  sessionId: string
  /** When the token ends, in Unix seconds. */
  expiresAt: number
  isOpen(): boolean
  /** Sends an object as JSON; nothing once the connection is closing. A client that does not read is dropped. */
  send(message: object): void
  close(code: number, reason: string): void
  /** Closes when nothing was heard for 300 s, asks for a sign of life when the last time was 30 s ago. */
  watch(): void
}

/** The session in whose name a connection is open. */
export function sessionOf({ account, sessionId }: Pick<Connection, 'account' | 'sessionId'>): Session {
  return { accountId: account.id, sessionId }
}

/** A message as it came, with the server's time in milliseconds when it did. */
export type Frame = { bytes: RawData; isBinary: boolean; receivedAt: number }

type Parts = { socket: WebSocket; authenticated: AuthenticatedClient; clock: Clock; views: MessageViews }

/** Begins a connection; its messages are handed over one at a time, in their order. */
export function openConnection(
  { socket, authenticated, clock, views }: Parts,
  onFrame: (connection: Connection, frame: Frame) => Promise<void>,
): Connection {
  const allowance = createAllowance(clock)
  let heardAt = clock.monotonicMilliseconds()
  let pingedAt = heardAt
  let turn = Promise.resolve()

  /** Notes a sign of life and says whether it is within the allowance. */
  function hear(): boolean {
    heardAt = clock.monotonicMilliseconds()
    if (!connection.isOpen()) return false
    const verdict = allowance.take()
    if (verdict === 'too_many') connection.send(views.error(rateLimitedError(1000)))
    if (verdict === 'exhausted') {
      connection.close(CLOSE.tooManyMessages, 'too many messages')
      // What it still sends is not even looked at; the library ends the connection after a moment.
      socket.pause()
    }
    return verdict === 'fine'
  }

  const connection: Connection = {
    ...authenticated,
    id: randomUUID(),
    isOpen: () => socket.readyState === socket.OPEN,
    send(message) {
      if (!connection.isOpen()) return
      socket.send(JSON.stringify(message))
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
    },
    close: (code, reason) => socket.close(code, reason),
    watch() {
      const now = clock.monotonicMilliseconds()
      if (!connection.isOpen()) return
      if (now - heardAt >= SILENCE_MILLISECONDS) return connection.close(CLOSE.silent, 'no traffic')
      if (now - Math.max(heardAt, pingedAt) < PING_MILLISECONDS) return
      pingedAt = now
      socket.ping()
    },
  }

  socket.on('message', (bytes, isBinary) => {
    const frame = { bytes, isBinary, receivedAt: views.serverMilliseconds() }
    if (hear()) turn = turn.then(() => onFrame(connection, frame))
  })
  socket.on('ping', hear).on('pong', hear)
  return connection
}
