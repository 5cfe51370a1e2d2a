import type { OutboxEvent, EventKind } from './outbox-event.ts'

export const DELIVERY_STATUSES = ['pending', 'success', 'failed'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export type TargetKind = 'webhook' | 'channel'

/** One announcement on its way to one target, in the hands of whoever attempts it now. */
export type Delivery = {
  /** UUID; the same at every attempt. */
  id: string
  targetId: string
  kind: TargetKind
  facts: OutboxEvent
  occurredAt: Date
  /** Attempts before this one. */
  attempts: number
  /** Null: as many as are configured. */
  attemptsAllowed: number | null
  /** Attempts, of any delivery, that the target has failed since the last one that arrived. */
  targetFailures: number
  /** What tells this claim from a later one. */
  claimedUntil: Date
}

/** What came of an attempt. */
export type Receipt = {
  isDelivered: boolean
  /** Of the reply; null when there was none. */
  statusCode: number | null
  /** Of the reply, cut; null when there was none. */
  responseBody: string | null
  /** Why it was not delivered, without addresses and keys. */
  error: string | null
  /** The target wants to be left alone for so long. */
  retryAfterSeconds?: number
  /** Trying again cannot help. */
  isFinal?: boolean
}

/** A delivery as the log shows it. */
export type DeliveryRecord = {
  id: string
  targetId: string
  targetName: string
  event: EventKind
  status: DeliveryStatus
  occurredAt: Date
  attempts: number
  attemptedAt: Date | null
  nextAttemptAt: Date | null
  statusCode: number | null
  responseBody: string | null
  errorMessage: string | null
}

/** Sends a delivery to its target; throws only what the signal says. */
export type Send = (delivery: Delivery, signal: AbortSignal) => Promise<Receipt>

const FIRST_PAUSE_MILLISECONDS = 1000
const MAX_PAUSE_MILLISECONDS = 32_000
/** What a target may ask for at the most. */
const MAX_WISH_MILLISECONDS = 3_600_000
const JITTER = 0.25

/** No delivery and no target waits for longer. What is written to wait for longer was written before the clock was set back. */
export const MAX_WAIT_MILLISECONDS = MAX_WISH_MILLISECONDS + MAX_PAUSE_MILLISECONDS * (1 + JITTER)

/**
 * How long to wait after an attempt that failed: 1 s, doubling to 32 s, with up to a quarter more so that targets which failed together
 * are not asked together again (client facts 5.4); longer when the target asks for it.
 * @param chance 0 to 1
 */
export function pauseMilliseconds(failedAttempts: number, receipt: Receipt, chance: number): number {
  const doubled = FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(Math.max(failedAttempts, 1) - 1, 10)
  const pause = Math.min(doubled, MAX_PAUSE_MILLISECONDS) * (1 + JITTER * chance)
  const wish = Math.min(Math.max(receipt.retryAfterSeconds ?? 0, 0) * 1000, MAX_WISH_MILLISECONDS)
  return Math.ceil(Math.max(pause, wish))
}

/** As many as one delivery is tried: until then a target is only troubled, not down. */
const FAILURES_BEFORE_REST = 3

/**
 * How long a target is left alone after so many attempts in a row that failed, whatever else waits for it: not at all, then 1 s,
 * doubling to 32 s. One that is down for an hour costs two attempts a minute, however much happens meanwhile.
 * @param chance 0 to 1
 */
export function restMilliseconds(failuresInARow: number, receipt: Receipt, chance: number): number {
  const beyond = failuresInARow - FAILURES_BEFORE_REST + 1
  return beyond < 1 ? 0 : pauseMilliseconds(beyond, receipt, chance)
}
