import { startPeriodicTask } from '../platform/concurrency/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { attemptDelivery, claimEnd, type DeliveryDependencies } from './attempt.ts'
import type { Send, TargetKind } from './delivery.ts'
import { claimDue, dropOldest, selectDueTargets, trimLog } from './queries/waiting.ts'

/** How each kind of target is reached. */
export type Senders = Readonly<Record<TargetKind, Send>>

export type Dispatch = {
  /** Delivers what is due now, and returns when nothing is any more. */
  settle(): Promise<void>
  /** Takes no more, breaks off what is under way (it is attempted again later), and returns when nothing is. Idempotent. */
  stop(): Promise<void>
}

const LOOK_MILLISECONDS = 1000
const TRIM_MILLISECONDS = 600_000
/** Targets at a time. */
const PARALLEL_TARGETS = 32
/** Of one target, before others that wait get their turn. */
const DELIVERIES_PER_TURN = 20
/** What may wait for one target; more than that and the oldest goes (SS-06). */
export const MAX_QUEUE = 1000
const KEPT_ENDED = 10_000
const RETENTION_MILLISECONDS = 30 * 24 * 3_600_000

/**
 * Delivers what is announced, from now on: looks every second for targets that something is due for, and sends each its deliveries one
 * after the other, all targets at once (`webhooks.parallel_dispatch`), so that a slow or dead one holds up nobody else. What is being
 * sent is claimed in the database: several daemons share the work, and what one of them had in hand when it was killed is sent again by
 * another a little later, and nothing else is.
 */
export function startDispatch(services: DeliveryDependencies, senders: Senders): Dispatch {
  const { config, db, clock, log } = services
  const stopping = new AbortController()
  const { signal } = stopping
  const busy = new Map<string, Promise<void>>()
  const limit = config.options['webhooks.parallel_dispatch'] ? PARALLEL_TARGETS : 1

  async function serve(targetId: string): Promise<void> {
    for (let count = 0; count < DELIVERIES_PER_TURN && !signal.aborted; count += 1) {
      const delivery = await claimDue(db, { targetId, now: clock.now(), claimedUntil: claimEnd(services) })
      if (delivery === undefined) return
      await attemptDelivery(services, { delivery, send: senders[delivery.kind] }, signal)
    }
  }

  /** @returns whether anything is due */
  async function look(): Promise<boolean> {
    const now = clock.now()
    for (const { id, count } of await dropOldest(db, { kept: MAX_QUEUE, now })) {
      log.warning({ targetId: id, count }, 'dropped the oldest deliveries: too many wait')
    }
    const due = await selectDueTargets(db, { now, limit: limit - busy.size, except: [...busy.keys()] })
    for (const targetId of due) {
      if (busy.has(targetId)) continue
      busy.set(
        targetId,
        serve(targetId)
          .catch((error: unknown) => {
            if (!signal.aborted) log.warning({ reason: describeError(error) }, 'delivering failed')
          })
          .finally(() => busy.delete(targetId)),
      )
    }
    return due.length > 0
  }

  async function trim(): Promise<void> {
    const before = new Date(clock.now().getTime() - RETENTION_MILLISECONDS)
    await trimLog(db, { before, kept: KEPT_ENDED })
  }

  const looking = startPeriodicTask({
    intervalMilliseconds: LOOK_MILLISECONDS,
    startsAtOnce: true,
    work: async () => void (await look()),
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
      while (((await look()) || busy.size > 0) && !signal.aborted) await Promise.all(busy.values())
    },
    async stop() {
      stopping.abort()
      await Promise.all([looking.stop(), trimming.stop()])
      await Promise.all(busy.values())
    },
  }
}
