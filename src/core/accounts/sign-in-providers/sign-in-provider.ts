import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { createHashingQueue, type HashingQueue } from '../../platform/credentials/index.ts'
import type { Connection } from '../../platform/database/index.ts'

/** A program outside of the server that checks names and passwords: a plugin, or a directory. Its results are not trusted. */
export type SignInProvider = {
  name: string
  /** Whether an account is created for an accepted person without an account. */
  mayCreateAccounts: boolean
  /** Whether its results grant and revoke administrator rights. Never for a plugin. */
  decidesRights: boolean
  /**
   * Asks `checkPassword` with `{username, password}`.
   * @returns JSON that is not checked; null: refused
   * @throws AppError if it does not answer
   */
  ask(method: 'checkPassword', question: { username: string; password: string }): Promise<unknown>
}

/** The providers that the administrator has enabled, and the queue of those who wait for them. */
export type SignInProviders = Readonly<{
  /** The providers, sorted by name. They change while the server runs. */
  list(): readonly SignInProvider[]
  /** Whether accounts that people get without an administrator wait for one. */
  needsApproval(): Promise<boolean>
  /** Whether a provider is installed and enabled. It stays so until the transaction ends. */
  lockEnabled(connection: Connection, name: string): Promise<boolean>
  /**
   * The name that is sent to a provider instead of a name that the provider must not learn. It is always the same for a given name, because
   * a service may respond differently to a repeated request.
   */
  decoyNameOf(name: string): string
  queue: HashingQueue
}>

/**
 * A provider responds within 5 s, so that the last caller waits for about 20 s. The queue is separate from the queue of password hashing,
 * so that a slow provider does not delay users with a local password.
 */
const LIMITS = { concurrent: 4, maxWaiting: 16, maxWaitingOfClient: 4 }

const DECOY_LABEL = 'phlix-sign-in-decoy-v1'

/** @param input.secret of the server; the substitute names that are sent to providers are derived from it */
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
