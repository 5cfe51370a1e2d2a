import { createHashingQueue, type HashingQueue } from '../hashing-queue.ts'

/** A program outside of the server that knows names and passwords: a plugin. Its answers are not trusted. */
export type SignInProvider = {
  name: string
  /** Whether somebody whom it accepts and who has no account gets one. */
  mayCreateAccounts: boolean
  /**
   * Asks `checkPassword` with `{username, password}`.
   * @returns JSON that is not checked; null: refused
   * @throws AppError if it does not answer; the reason of the signal
   */
  ask(method: 'checkPassword', question: { username: string; password: string }, signal?: AbortSignal): Promise<unknown>
}

/** The providers that the administrator has enabled, and the queue of those who wait for them. */
export type SignInProviders = Readonly<{
  /** By name. They change while the server runs. */
  list(): readonly SignInProvider[]
  /** Whether accounts that people get without an administrator wait for one. */
  needsApproval(): Promise<boolean>
  queue: HashingQueue
}>

/**
 * A provider answers within 5 s, so that the last caller waits for about 20 s. This queue is not that of password hashing, so that a slow
 * provider delays nobody who has a local password.
 */
const LIMITS = { concurrent: 4, maxWaiting: 16, maxWaitingOfClient: 4 }

export function createSignInProviders(sources: Pick<SignInProviders, 'list' | 'needsApproval'>): SignInProviders {
  return Object.freeze({ ...sources, queue: createHashingQueue(LIMITS) })
}
