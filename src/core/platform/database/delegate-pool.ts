import type { DatabasePool } from 'slonik'
import { POOL_METHODS } from './limited-pool.ts'

/** Chooses a pool, and runs work with exclusive use of it. */
export type PoolUse = <Result>(work: (pool: DatabasePool) => Promise<Result>) => Promise<Result>

/** A database without connections of its own: each call runs on the pool that `use` chooses. It is never ended. */
export function delegatePool(use: PoolUse): DatabasePool {
  const methods = POOL_METHODS.map((name) => {
    const call = (...parameters: unknown[]): Promise<unknown> =>
      use((pool) => (pool[name] as (...given: unknown[]) => Promise<unknown>)(...parameters))
    return [name, call] as const
  })
  // Nothing reads the configuration or the state of such a database.
  return Object.freeze(Object.fromEntries(methods)) as unknown as DatabasePool
}
