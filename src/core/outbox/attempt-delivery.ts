import type { Config } from '../platform/config/index.ts'
import { isRowId, type Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { OutboxEvent } from './outbox-event.ts'
import {
  retryDelayMilliseconds,
  targetBackoffMilliseconds,
  type Delivery,
  type DeliveryRecord,
  type AttemptResult,
  type SendDelivery,
  type TargetKind,
} from './delivery.ts'
import { deliveryErrors } from './errors.ts'
import { selectDeliveryRecord } from './queries/delivery-log.ts'
import {
  claimFinishedDelivery,
  existsDelivery,
  insertClaimedDelivery,
  releaseClaim,
  writeAttemptResult,
} from './queries/waiting-deliveries.ts'

export type DeliveryDependencies = { config: Config; db: Database; clock: Clock; log: Logger }

/**
 * Added to the time limit of an attempt. When a claim has expired, another process takes over the delivery, because its process is dead.
 */
const CLAIM_GRACE_MILLISECONDS = 15_000

/** When the claim of a delivery expires that is claimed now. */
export function claimExpiry({ config, clock }: Pick<DeliveryDependencies, 'config' | 'clock'>): Date {
  const longest = config.options['webhooks.timeout_seconds'] * 1000
  return new Date(clock.now().getTime() + longest + CLAIM_GRACE_MILLISECONDS)
}

/**
 * Sends a claimed delivery and stores the result: delivered, to be retried after a delay, or failed. When the signal is aborted, the claim
 * is released, and the attempt is not counted.
 */
export async function attemptDelivery(
  services: DeliveryDependencies,
  { delivery, send }: { delivery: Delivery; send: SendDelivery },
  signal: AbortSignal,
): Promise<void> {
  const { config, db, clock, log } = services
  const result = await sendSafely({ delivery, send, log }, signal)
  if (result === undefined) return releaseClaim(db, delivery)
  const attempts = delivery.attempts + 1
  const allowed = delivery.attemptsAllowed ?? 1 + config.options['webhooks.max_retries']
  const isOver = result.isDelivered || result.isFinal === true || attempts >= allowed
  const now = clock.now()
  const delay = retryDelayMilliseconds(attempts, result, Math.random())
  const backoff = result.isDelivered ? 0 : targetBackoffMilliseconds(delivery.targetFailures + 1, result, Math.random())
  await writeAttemptResult(db, delivery, {
    result,
    status: isOver ? (result.isDelivered ? 'success' : 'failed') : 'pending',
    nextAttemptAt: isOver ? null : new Date(now.getTime() + delay),
    restUntil: backoff === 0 ? null : new Date(now.getTime() + backoff),
    now,
  })
  const { targetId, id, kind } = delivery
  const fields = { deliveryId: id, targetId, kind, event: delivery.facts.event, attempts, status: result.statusCode }
  if (result.isDelivered) log.debug(fields, 'delivery succeeded')
  else log.notice({ ...fields, reason: result.error, isGivenUp: isOver }, 'delivery failed')
}

/** Undefined when the signal was aborted before there was a reply. */
async function sendSafely(
  { delivery, send, log }: { delivery: Delivery; send: SendDelivery; log: Logger },
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  try {
    return await send(delivery, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    log.error({ deliveryId: delivery.id, reason: describeError(error) }, 'sending a delivery threw an unexpected error')
    const problem = 'Internal error while sending; see the server log.'
    return { isDelivered: false, statusCode: null, responseBody: null, error: problem, isFinal: true }
  }
}

/**
 * Delivers an event to one target immediately, in one attempt, even if the target has not subscribed to the event.
 * @returns the delivery with the result of the attempt
 */
export async function deliverOnce(
  services: DeliveryDependencies,
  { targetId, kind, facts, send }: { targetId: string; kind: TargetKind; facts: OutboxEvent; send: SendDelivery },
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  const now = services.clock.now()
  const row = { targetId, facts, now, claimedUntil: claimExpiry(services) }
  const delivery = await insertClaimedDelivery(services.db, row)
  await attemptDelivery(services, { delivery, send }, signal)
  return findRecord(services, { id: delivery.id, kind })
}

/**
 * Sends a finished delivery once more, with the same id and body.
 * @returns the delivery with the result of the attempt
 * @throws AppError `delivery_not_found`, `delivery_pending` if the delivery is waiting or being sent
 */
export async function redeliver(
  services: DeliveryDependencies,
  { id, kind, send }: { id: string; kind: TargetKind; send: SendDelivery },
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  if (!isRowId(id)) throw deliveryErrors.delivery_not_found()
  const claim = { id, kind, now: services.clock.now(), claimedUntil: claimExpiry(services) }
  const delivery = await claimFinishedDelivery(services.db, claim)
  if (delivery === undefined) {
    if (await existsDelivery(services.db, { id, kind })) throw deliveryErrors.delivery_pending()
    throw deliveryErrors.delivery_not_found()
  }
  await attemptDelivery(services, { delivery, send }, signal)
  return findRecord(services, { id, kind })
}

async function findRecord(
  { db }: Pick<DeliveryDependencies, 'db'>,
  which: { id: string; kind: TargetKind },
): Promise<DeliveryRecord> {
  const record = await selectDeliveryRecord(db, which)
  if (record === undefined) throw deliveryErrors.delivery_not_found()
  return record
}
