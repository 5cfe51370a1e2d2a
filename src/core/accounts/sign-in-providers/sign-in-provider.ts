import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { createHashingQueue, type HashingQueue } from '../../platform/credentials/index.ts'
import type { Connection } from '../../platform/database/index.ts'

/** A program outside of the server that knows names and passwords: a plugin. Its answers are not trusted. */
export type SignInProvider = {
  name: string
  /** Whether somebody whom it accepts and who has no account gets one. */
  mayCreateAccounts: boolean
  /**
   * Asks `checkPassword` with `{username, password}`.
   * @returns JSON that is not checked; null: refused
   * @throws AppError if it does not answer
   */
  ask(method: 'checkPassword', question: { username: string; password: string }): Promise<unknown>
}

/** The providers that the administrator has enabled, and the queue of those who wait for them. */
export type SignInProviders = Readonly<{
  /** By name. They change while the server runs. */
  list(): readonly SignInProvider[]
  /** Whether accounts that people get without an administrator wait for one. */
  needsApproval(): Promise<boolean>
  /** Whether a provider is installed and enabled. It stays so until the transaction ends. */
  lockEnabled(connection: Connection, name: string): Promise<boolean>
  /**
   * The name about which a provider is asked instead of one of which it may not learn. Always the same for a name, as a service may answer
   * repeated questions in another way than the first one.
   */
  decoyNameOf(name: string): string
  queue: HashingQueue
}>

/**
 * A provider answers within 5 s, so that the last caller waits for about 20 s. This queue is not that of password hashing, so that a slow
 * provider delays nobody who has a local password.
 */
const LIMITS = { concurrent: 4, maxWaiting: 16, maxWaitingOfClient: 4 }

const DECOY_LABEL = 'phlix-sign-in-decoy-v1'

/** @param input.secret of the server; the names that providers are asked about instead are derived from it */
export function createSignInProviders({
  secret,
  ...sources
}: Pick<SignInProviders, 'list' | 'needsApproval' | 'lockEnabled'> & { secret: Buffer }): SignInProviders {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', DECOY_LABEL, 32)))
  return Object.freeze({
    ...sources,
    decoyNameOf: (name: string) => createHmac('sha256', key).update(name.toLowerCase()).digest('hex').slice(0, 12),
    queue: createHashingQueue(LIMITS),
  })
}
