import { startPeriodicTask } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { attemptDelivery, claimExpiry, type DeliveryDependencies } from './attempt-delivery.ts'
import type { SendDelivery, TargetKind } from './delivery.ts'
import {
  claimDueDelivery,
  deleteOldestWaitingDeliveries,
  selectDueTargets,
  deleteOldDeliveries,
} from './queries/waiting-deliveries.ts'

/** The send function of each kind of target. */
export type DeliverySenders = Readonly<Record<TargetKind, SendDelivery>>

export type DeliveryDispatch = {
  /** Delivers everything that is due and resolves when nothing is due. */
  settle(): Promise<void>
  /** Stops claiming deliveries, aborts running attempts (they are retried later) and resolves when all have ended. Idempotent. */
  stop(): Promise<void>
}

const POLL_MILLISECONDS = 1000
const TRIM_MILLISECONDS = 600_000
/** Number of targets that are served concurrently. */
const PARALLEL_TARGETS = 32
/** Number of consecutive deliveries to one target before other waiting targets are served. */
const DELIVERIES_PER_ROUND = 20
/** Maximum number of waiting deliveries per target; the oldest deliveries are dropped. */
export const MAX_WAITING_DELIVERIES = 1000
const MAX_ENDED_RECORDS = 10_000
const RETENTION_MILLISECONDS = 30 * 24 * 3_600_000

/**
 * Starts the delivery of events. Polls every second for targets with due deliveries. Deliveries to one target are sequential; targets are
 * served in parallel (`webhooks.parallel_dispatch`), so that a slow target does not delay others. Deliveries are claimed in the database:
 * several daemons share the work, and only the deliveries that a killed daemon was attempting are sent again.
 */
export function startDeliveryDispatch(services: DeliveryDependencies, senders: DeliverySenders): DeliveryDispatch {
  const { config, db, clock, log } = services
  const stopping = new AbortController()
  const { signal } = stopping
  const active = new Map<string, Promise<void>>()
  const limit = config.options['webhooks.parallel_dispatch'] ? PARALLEL_TARGETS : 1

  async function deliverTo(targetId: string): Promise<void> {
    for (let count = 0; count < DELIVERIES_PER_ROUND && !signal.aborted; count += 1) {
      const delivery = await claimDueDelivery(db, { targetId, now: clock.now(), claimedUntil: claimExpiry(services) })
      if (delivery === undefined) return
      await attemptDelivery(services, { delivery, send: senders[delivery.kind] }, signal)
    }
  }

  /** @returns whether deliveries are due */
  async function poll(): Promise<boolean> {
    const now = clock.now()
    for (const { id, count } of await deleteOldestWaitingDeliveries(db, { kept: MAX_WAITING_DELIVERIES, now })) {
      log.warning({ targetId: id, count }, 'dropped the oldest deliveries: too many wait')
    }
    const due = await selectDueTargets(db, { now, limit: limit - active.size, except: [...active.keys()] })
    for (const targetId of due) {
      if (active.has(targetId)) continue
      active.set(
        targetId,
        deliverTo(targetId)
          .catch((error: unknown) => {
            if (!signal.aborted) log.warning({ reason: describeError(error) }, 'delivering failed')
          })
          .finally(() => active.delete(targetId)),
      )
    }
    return due.length > 0
  }

  async function trim(): Promise<void> {
    const before = new Date(clock.now().getTime() - RETENTION_MILLISECONDS)
    await deleteOldDeliveries(db, { before, kept: MAX_ENDED_RECORDS })
  }

  const polling = startPeriodicTask({
    intervalMilliseconds: POLL_MILLISECONDS,
    startsAtOnce: true,
    work: async () => void (await poll()),
    onError: (error) => log.warning({ reason: describeError(error) }, 'looking for deliveries failed'),
  })
  const trimming = startPeriodicTask({
    intervalMilliseconds: TRIM_MILLISECONDS,
    startsAtOnce: true,
    work: trim,
    onError: (error) => log.warning({ reason: describeError(error) }, 'trimming the log of deliveries failed'),
  })
  return {
    async settle() {
      while (((await poll()) || active.size > 0) && !signal.aborted) await Promise.all(active.values())
    },
    async stop() {
      stopping.abort()
      await Promise.all([polling.stop(), trimming.stop()])
      await Promise.all(active.values())
    },
  }
}
