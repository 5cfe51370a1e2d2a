import type { Clock } from '../../core/platform/time/index.ts'
import { socketErrors } from './errors.ts'
import { createTokenBucket, type TokenBucket } from './message-rate-limit.ts'

/** Enough for a group of 64 members on one account, each with the two connections of a page. */
const MAX_CONNECTIONS_OF_ACCOUNT = 128

/** Five times what one connection may send: each message of a group goes to all its members. */
const MESSAGES_PER_SECOND = 100

/** All devices of an account may come back in the same moment, for example after a restart of the server. */
const MESSAGES_AT_ONCE = 300

/** What the connections of one account have in common. */
export type AccountConnectionState = {
  messages: TokenBucket
  /** The connection has closed. */
  release(): void
}

/** Limits of accounts in this process, however many connections they have. */
export type AccountConnectionLimits = {
  /** @throws AppError `too_many_connections` if the account may open no more */
  check(accountId: string): void
  /** Counts a new connection. */
  open(accountId: string): AccountConnectionState
  /** Number of accounts with connections. */
  size(): number
}

export function createAccountConnectionLimits(clock: Pick<Clock, 'monotonicMilliseconds'>): AccountConnectionLimits {
  const accounts = new Map<string, { connections: number; messages: TokenBucket }>()

  function start(accountId: string) {
    const messages = createTokenBucket(clock, { perSecond: MESSAGES_PER_SECOND, size: MESSAGES_AT_ONCE })
    const account = { connections: 0, messages }
    accounts.set(accountId, account)
    return account
  }

  return {
    check(accountId) {
      const { connections = 0 } = accounts.get(accountId) ?? {}
      if (connections >= MAX_CONNECTIONS_OF_ACCOUNT) throw socketErrors.too_many_connections()
    },
    open(accountId) {
      const account = accounts.get(accountId) ?? start(accountId)
      account.connections += 1
      return {
        messages: account.messages,
        release() {
          account.connections -= 1
          if (account.connections === 0) accounts.delete(accountId)
        },
      }
    },
    size: () => accounts.size,
  }
}
