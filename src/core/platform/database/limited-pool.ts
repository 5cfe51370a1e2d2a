import type { DatabasePool } from 'slonik'
import { asDatabaseError } from './database-errors.ts'
import { databaseErrors } from './errors.ts'

const METHODS = [
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
const TURN_MILLISECONDS = 5000

/**
 * The same pool behind a door with two rules. A server that is away leaves it as `database_unavailable`, whoever asked: daemon,
 * command or job. And no more callers are let in than there are connections: slonik's own queue forgets those who wait in it when
 * connecting fails (seen with 49.10.9: 20 queries at 8 connections while the server was down, 6 never settled).
 */
export function limitPool(pool: DatabasePool, size: number): DatabasePool {
  const turns = createTurns(size)
  for (const name of METHODS) {
    const ask = pool[name] as (...words: unknown[]) => Promise<unknown>
    const asked = async (...words: unknown[]): Promise<unknown> => {
      await turns.take()
      try {
        return await ask(...words)
      } catch (error) {
        throw asDatabaseError(error)
      } finally {
        turns.giveBack()
      }
    }
    Object.assign(pool, { [name]: asked })
  }
  return pool
}

type Turns = { take(): Promise<void>; giveBack(): void }

function createTurns(size: number): Turns {
  const waiting = new Set<() => void>()
  let free = size
  return {
    take() {
      if (free > 0) {
        free -= 1
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          clearTimeout(timer)
          waiting.delete(enter)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(enter)
          const message = 'Every connection to the database is busy.'
          reject(databaseErrors.database_unavailable({ message, retryAfterSeconds: 2 }))
        }, TURN_MILLISECONDS)
        waiting.add(enter)
      })
    },
    giveBack() {
      const [next] = waiting
      if (next === undefined) free += 1
      else next()
    },
  }
}
