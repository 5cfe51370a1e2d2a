import { findSessionAccount } from '../../core/accounts/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import type { Services } from '../../core/services.ts'
import { CLOSE, sessionOf, type Connection } from './connection.ts'

const STOPPING = 'the server stops'

/** All open connections of this process. */
export type Connections = {
  add(connection: Connection): void
  remove(connection: Connection): void
  size(): number
  broadcast(message: object): void
  /**
   * Looks at one account now: closes its connections whose session has ended, all of them when it may no longer sign in. When the
   * database does not answer, the check of `watch` finds it.
   */
  checkAccount(accountId: string): Promise<void>
  /** To all connections of one account. */
  sendTo(accountId: string, message: object): void
  /** Closes the silent, those whose token or session has ended, and those whose account is no longer active (WS-07, WS-08). */
  watch(): Promise<void>
  /** Closes all and resolves when they are gone. */
  closeAll(): Promise<void>
}

/** @param onDemoted told of connections whose account is no administrator */
export function createConnections(
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
  onDemoted: (connection: Connection) => void,
): Connections {
  const open = new Set<Connection>()
  let isClosing = false
  let onEmpty: (() => void) | undefined

  async function check(connection: Connection): Promise<void> {
    const session = sessionOf(connection)
    const account = await findSessionAccount({ db }, session)
    // It may have brought a token of another session meanwhile.
    if (connection.sessionId !== session.sessionId) return
    if (account === undefined) connection.close(CLOSE.accessEnded, 'the session has ended')
    else if (account.status !== 'active') connection.close(CLOSE.accessEnded, 'the account may not sign in')
    else connection.account = account
    if (account?.isAdmin !== true) onDemoted(connection)
  }

  /** The sessions are read by one query: all are asked for in one turn. */
  async function checkAll(connections: readonly Connection[]): Promise<void> {
    await Promise.all(connections.map(check))
  }

  async function orWarn(check: Promise<void>): Promise<void> {
    try {
      await check
    } catch (error) {
      log.warning({ reason: describeError(error) }, 'the accounts of WebSockets could not be checked')
    }
  }

  return {
    size: () => open.size,
    add(connection) {
      open.add(connection)
      // It was let in a moment before all were closed.
      if (isClosing) connection.close(CLOSE.goingAway, STOPPING)
    },
    remove(connection) {
      open.delete(connection)
      if (open.size === 0) onEmpty?.()
    },
    broadcast(message) {
      for (const connection of open) connection.send(message)
    },
    checkAccount: (accountId) => orWarn(checkAll([...open].filter(({ account }) => account.id === accountId))),
    sendTo(accountId, message) {
      for (const connection of open) if (connection.account.id === accountId) connection.send(message)
    },
    async watch() {
      for (const connection of open) {
        connection.watch()
        if (connection.expiresAt <= clock.unixSeconds()) connection.close(CLOSE.accessEnded, 'the token has expired')
      }
      await orWarn(checkAll([...open]))
    },
    async closeAll() {
      isClosing = true
      if (open.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      for (const connection of open) connection.close(CLOSE.goingAway, STOPPING)
      await promise
    },
  }
}
