import type { OutboxEvent, EventKind } from './outbox-event.ts'

export const DELIVERY_STATUSES = ['pending', 'success', 'failed'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const TARGET_KINDS = ['webhook', 'channel', 'scrobbler'] as const

export type TargetKind = (typeof TARGET_KINDS)[number]

/** An event for a target, claimed by the process that sends it. */
export type Delivery = {
  /** UUID; equal in every attempt. */
  id: string
  targetId: string
  kind: TargetKind
  facts: OutboxEvent
  occurredAt: Date
  /** Number of previous attempts. */
  attempts: number
  /** Null: the configured number. */
  attemptsAllowed: number | null
  /** Consecutive failed attempts of the target, over all deliveries. */
  targetFailures: number
  /** Expiry of the claim; distinguishes this claim from a later one of the same delivery. */
  claimedUntil: Date
}

/** The result of an attempt. */
export type AttemptResult = {
  isDelivered: boolean
  /** Status of the reply; null without a reply. */
  statusCode: number | null
  /** Body of the reply, truncated; null without a reply. */
  responseBody: string | null
  /** The reason of a failure, without addresses and keys. */
  error: string | null
  /** The target requests a pause of this length. */
  retryAfterSeconds?: number
  /** A retry cannot succeed. */
  isFinal?: boolean
}

/** An entry of the delivery log. */
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

/**
 * Sends a delivery to its target.
 * @throws only the signal's reason
 */
export type SendDelivery = (delivery: Delivery, signal: AbortSignal) => Promise<AttemptResult>

const FIRST_PAUSE_MILLISECONDS = 1000
const MAX_PAUSE_MILLISECONDS = 32_000
/** Upper limit of a target's `Retry-After`. */
const MAX_RETRY_AFTER_MILLISECONDS = 3_600_000
const JITTER = 0.25

/** The longest wait of a delivery or a target. A stored time beyond it was written before the clock was set back. */
export const MAX_WAIT_MILLISECONDS = MAX_RETRY_AFTER_MILLISECONDS + MAX_PAUSE_MILLISECONDS * (1 + JITTER)

/**
 * The delay before the next attempt: 1 s, doubling up to 32 s, with up to 25 % jitter so that targets which failed at the same time are not
 * retried at the same time; longer if the target requests it.
 * @param random 0 to 1
 */
export function retryDelayMilliseconds(failedAttempts: number, result: AttemptResult, random: number): number {
  const doubled = FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(Math.max(failedAttempts, 1) - 1, 10)
  const delay = Math.min(doubled, MAX_PAUSE_MILLISECONDS) * (1 + JITTER * random)
  const requested = Math.min(Math.max(result.retryAfterSeconds ?? 0, 0) * 1000, MAX_RETRY_AFTER_MILLISECONDS)
  return Math.ceil(Math.max(delay, requested))
}

/** A target with fewer consecutive failures, the attempts of a single delivery, is not treated as down. */
const FAILURES_BEFORE_BACKOFF = 3

/**
 * How long no delivery is attempted to a target after a number of consecutive failures: 0 for the first failures, then 1 s, doubling up to
 * 32 s. A target that is down costs two attempts a minute, regardless of the number of events.
 * @param random 0 to 1
 */
export function targetBackoffMilliseconds(failuresInARow: number, result: AttemptResult, random: number): number {
  const beyond = failuresInARow - FAILURES_BEFORE_BACKOFF + 1
  return beyond < 1 ? 0 : retryDelayMilliseconds(beyond, result, random)
}
