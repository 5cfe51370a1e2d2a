import { Semaphore } from '../platform/concurrency/index.ts'
import { databaseErrors, delegatePool, type Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { openLimitedPool, type LimitedPoolNeeds } from './open-limited-pool.ts'
import type { AccessPolicy } from './policy.ts'

/** The connections that one policy uses at a time. */
const MAX_CONNECTIONS_OF_POLICY = 4

/** The longest wait for a free connection. */
const MAX_WAIT_MILLISECONDS = 5000

/** The connections of limited accounts. All policies together have at most as many connections as the main pool. */
export type LimitedConnections = {
  /** The database as a policy shows it. It holds no connection between its calls, and can be used until `close` is called. */
  databaseOf(policy: AccessPolicy): Database
  /**
   * The same for checks that query many policies in turn. They use one connection at a time, which is the first one to be closed for another
   * policy, so that the checks do not displace the connections of requests.
   */
  databaseForChecks(policy: AccessPolicy): Database
  /** Closes the connections. Idempotent. */
  close(): Promise<void>
}

/** One connection, prepared for one policy. */
type Slot = { policyId: number; pool: Promise<Database>; isBusy: boolean }

/** Creates the connections of all policies. Nothing is opened before the first call of a database. */
export function createLimitedConnections(needs: LimitedPoolNeeds): LimitedConnections {
  const poolSize = needs.config.options['database.pool_size']
  const permits = semaphoreOf(poolSize)
  /** The next one to be closed comes first. */
  const slots: Slot[] = []
  let isClosed = false

  async function end(slot: Slot): Promise<void> {
    try {
      await (await slot.pool).end()
    } catch (error) {
      needs.log.warning({ reason: describeError(error) }, 'a connection of an access policy could not be closed')
    }
  }

  /** Selects or opens a connection. The caller holds a permit, so not all slots are busy. */
  function take(policy: AccessPolicy): Slot {
    const free = slots.filter((slot) => !slot.isBusy)
    const known = free.findLast((slot) => slot.policyId === policy.id)
    if (known !== undefined) return known
    const displaced = slots.length < poolSize ? undefined : free[0]
    if (displaced !== undefined) remove(displaced)
    const ended = displaced === undefined ? Promise.resolve() : end(displaced)
    // The new connection is opened after the other one has ended, so that the limit is never exceeded.
    return { policyId: policy.id, isBusy: false, pool: ended.then(() => openLimitedPool(needs, policy)) }
  }

  function remove(slot: Slot): void {
    const index = slots.indexOf(slot)
    if (index !== -1) slots.splice(index, 1)
  }

  async function use<Result>(
    policy: AccessPolicy,
    { work, isCheck }: { work: (pool: Database) => Promise<Result>; isCheck: boolean },
  ): Promise<Result> {
    if (isClosed) throw new Error('the connections of limited accounts are closed')
    const slot = take(policy)
    const isNew = !slots.includes(slot)
    slot.isBusy = true
    remove(slot)
    if (isNew && isCheck) slots.unshift(slot)
    else slots.push(slot)
    try {
      return await work(await opened(slot))
    } finally {
      slot.isBusy = false
    }
  }

  async function opened(slot: Slot): Promise<Database> {
    try {
      return await slot.pool
    } catch (error) {
      remove(slot)
      throw error
    }
  }

  function databaseFor(policy: AccessPolicy, { limit, isCheck }: { limit: number; isCheck: boolean }): Database {
    const own = semaphoreOf(Math.min(limit, poolSize))
    return delegatePool((work) => own.run(() => permits.run(() => use(policy, { work, isCheck }))))
  }

  return {
    databaseOf: (policy) => databaseFor(policy, { limit: MAX_CONNECTIONS_OF_POLICY, isCheck: false }),
    databaseForChecks: (policy) => databaseFor(policy, { limit: 1, isCheck: true }),
    async close() {
      isClosed = true
      await Promise.all(slots.splice(0).map(end))
    },
  }
}

function semaphoreOf(permits: number): Semaphore {
  return new Semaphore({
    permits,
    maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
    refusal: () =>
      databaseErrors.database_unavailable({
        message: 'Every connection to the database is busy.',
        retryAfterSeconds: 2,
      }),
  })
}
