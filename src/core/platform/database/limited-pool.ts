import type { DatabasePool } from 'slonik'
import { Semaphore } from '../concurrency/index.ts'
import { toDatabaseError } from './database-errors.ts'
import { databaseErrors } from './errors.ts'

/** The methods of a pool that use a connection. */
export const POOL_METHODS = [
  'any',
  'anyFirst',
  'connect',
  'exists',
  'many',
  'manyFirst',
  'maybeOne',
  'maybeOneFirst',
  'one',
  'oneFirst',
  'query',
  'record',
  'stream',
  'transaction',
] as const

/** The longest wait for a free connection. */
const MAX_WAIT_MILLISECONDS = 5000

/**
 * Adds two rules to a pool. An unreachable server is reported as `database_unavailable` to every caller: daemon, command or job. The number
 * of callers that reach slonik is limited to the number of connections, because slonik forgets its waiting callers when connecting fails
 * (seen with 49.10.9: of 20 queries on 8 connections, 6 never settled while the server was down).
 * @throws AppError `database_unavailable`, also when no connection becomes free within five seconds
 */
export function limitPool(pool: DatabasePool, size: number): DatabasePool {
  const connections = new Semaphore({
    permits: size,
    maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
    refusal: () =>
      databaseErrors.database_unavailable({
        message: 'Every connection to the database is busy.',
        retryAfterSeconds: 2,
      }),
  })
  for (const name of POOL_METHODS) {
    const method = pool[name] as (...parameters: unknown[]) => Promise<unknown>
    const limited = (...parameters: unknown[]): Promise<unknown> =>
      connections.run(async () => {
        try {
          return await method(...parameters)
        } catch (error) {
          throw toDatabaseError(error)
        }
      })
    Object.assign(pool, { [name]: limited })
  }
  return pool
}
