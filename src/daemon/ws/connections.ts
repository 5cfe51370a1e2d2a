import { isDeepStrictEqual } from 'node:util'
import { mayDownload, type SignedInAccount } from '../../core/accounts/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { CLOSE_CODES, connectionSession, type SocketConnection } from './connection.ts'

const STOPPING = 'the server stops'

/** All open connections of this process. */
export type SocketConnections = {
  add(connection: SocketConnection): void
  remove(connection: SocketConnection): void
  size(): number
  /** The profiles of all connections. */
  profileIds(): string[]
  /** Sends to all connections whose account is accepted, as of the last check of the account. */
  sendWhere(isMeant: (account: SignedInAccount) => boolean, message: object): void
  /**
   * Checks one account immediately: closes the connections whose session has ended, and all of them if the account may no longer sign in.
   * If the database does not respond, the next `watch` does it.
   */
  checkAccount(accountId: string): Promise<void>
  hasAdministrator(): boolean
  sendToAdministrators(message: object): void
  /**
   * Closes the connections whose session has ended, in whichever process, or whose account may no longer sign in.
   * @throws the error of the database
   */
  checkSessions(): Promise<void>
  /** Closes connections that are silent, whose token or session has ended, or whose account is no longer active. */
  watch(): Promise<void>
  /** Closes all connections and resolves when they are gone. */
  closeAll(): Promise<void>
}

type Listeners = Readonly<Record<'onDemoted' | 'onAccessChanged', (connection: SocketConnection) => void>>

/**
 * @param listeners.onDemoted called with connections whose account is no longer an administrator
 * @param listeners.onAccessChanged called with connections whose account sees something else, or has other rights, than at its last check
 */
export function createSocketConnections(
  { findSessionAccount, clock, log }: Pick<SigningServices, 'findSessionAccount' | 'clock' | 'log'>,
  { onDemoted, onAccessChanged }: Listeners,
): SocketConnections {
  const open = new Set<SocketConnection>()
  let isClosing = false
  let onEmpty: (() => void) | undefined

  async function check(connection: SocketConnection): Promise<void> {
    const session = connectionSession(connection)
    const account = await findSessionAccount(session)
    // The connection may have renewed its token with another session meanwhile.
    if (connection.sessionId !== session.sessionId) return
    if (account === undefined) connection.close(CLOSE_CODES.accessEnded, 'the session has ended')
    else if (account.status !== 'active') connection.close(CLOSE_CODES.accessEnded, 'the account may not sign in')
    else {
      const before = rightsOf(connection.account)
      connection.account = account
      if (!isDeepStrictEqual(rightsOf(account), before)) onAccessChanged(connection)
    }
    if (account?.isAdmin !== true) onDemoted(connection)
  }

  /** Calls all checks in the same tick, so that their session reads are combined to one query. */
  async function checkAll(connections: readonly SocketConnection[]): Promise<void> {
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
      // Accepted just before all connections were closed.
      if (isClosing) connection.close(CLOSE_CODES.goingAway, STOPPING)
    },
    remove(connection) {
      open.delete(connection)
      if (open.size === 0) onEmpty?.()
    },
    profileIds: () => [...new Set([...open].map(({ account }) => account.profile.id))],
    sendWhere(isMeant, message) {
      for (const connection of open) if (isMeant(connection.account)) connection.send(message)
    },
    hasAdministrator: () => [...open].some(({ account }) => account.isAdmin),
    sendToAdministrators(message) {
      for (const connection of open) if (connection.account.isAdmin) connection.send(message)
    },
    checkAccount: (accountId) => orWarn(checkAll([...open].filter(({ account }) => account.id === accountId))),
    checkSessions: () => checkAll([...open]),
    async watch() {
      for (const connection of open) {
        connection.watch()
        if (connection.expiresAt <= clock.unixSeconds())
          connection.close(CLOSE_CODES.accessEnded, 'the token has expired')
      }
      await orWarn(checkAll([...open]))
    },
    async closeAll() {
      isClosing = true
      if (open.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onEmpty = resolve
      for (const connection of open) connection.close(CLOSE_CODES.goingAway, STOPPING)
      await promise
    },
  }
}

/** What decides which things and controls a client shows. */
function rightsOf(account: SignedInAccount) {
  const { policyId, isAdmin, profile } = account
  return { policyId, isAdmin, isRestricted: profile.isRestricted, mayDownload: mayDownload(account) }
}
