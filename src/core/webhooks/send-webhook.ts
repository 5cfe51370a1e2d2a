import {
  deliverOnce,
  redeliver,
  type Delivery,
  type DeliveryDependencies,
  type DeliveryRecord,
  type AttemptResult,
} from '../outbox/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import { refuseOwnServerAddress, webhookTrust } from './check-webhook-url.ts'
import { createEnvelope, signatureHeaders } from './envelope.ts'
import { getWebhook } from './manage-webhooks.ts'
import { selectWebhookAddress } from './queries.ts'

export type WebhookDependencies = DeliveryDependencies & { outbound: Outbound }

/** Size limit of a reply; exceeding it ends the exchange. */
const READ_BYTES = 64 * 1024
/** Characters of a reply that are stored in the log. */
const STORED_CHARACTERS = 2000

/**
 * Posts a signed delivery to its webhook. Statuses 200 to 299 count as delivered. Redirects are not followed and count as failures.
 * @throws the signal's reason
 */
export async function sendWebhook(
  services: WebhookDependencies,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { config, db, clock, outbound } = services
  const address = await selectWebhookAddress(db, delivery.targetId)
  if (address === undefined) return failure('The webhook was deleted.', { isFinal: true })
  const body = JSON.stringify(createEnvelope(delivery))
  const signature = signatureHeaders(body, { secret: address.secret, unixSeconds: clock.unixSeconds() })
  try {
    refuseOwnServerAddress(config, new URL(address.url))
    const reply = await outbound.send(
      {
        purpose: 'webhook',
        url: address.url,
        trust: webhookTrust(config),
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature },
        body,
        timeoutMilliseconds: config.options['webhooks.timeout_seconds'] * 1000,
        maximumBytes: READ_BYTES,
      },
      signal,
    )
    const text = storable(new TextDecoder().decode(reply.body), address.secret)
    const isDelivered = reply.status >= 200 && reply.status < 300
    const error = isDelivered ? null : `It answered with status ${reply.status}.`
    return { isDelivered, statusCode: reply.status, responseBody: text, error }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return failure(error.message)
  }
}

function failure(error: string, more: { isFinal?: boolean } = {}): AttemptResult {
  return { isDelivered: false, statusCode: null, responseBody: null, error, ...more }
}

/** The part of a reply that is stored: truncated, valid text, and without the secret, which the target may repeat. */
function storable(text: string, secret: string): string {
  return text.replaceAll(secret, '***').replaceAll('\0', '').slice(0, STORED_CHARACTERS).toWellFormed()
}

/** The result of a test. */
export type WebhookTest = { webhookId: string; url: string; record: DeliveryRecord }

/**
 * Delivers a `webhook.test` event to a webhook in one attempt, regardless of its subscriptions.
 * @throws AppError `webhook_not_found`; the signal's reason
 */
export async function testWebhook(
  services: WebhookDependencies,
  id: string,
  signal: AbortSignal,
): Promise<WebhookTest> {
  const webhook = await getWebhook(services, id)
  const facts = { event: 'webhook.test', message: 'This is a test of the webhook.' } as const
  const send = (delivery: Delivery, stop: AbortSignal): Promise<AttemptResult> => sendWebhook(services, delivery, stop)
  const record = await deliverOnce(services, { targetId: webhook.id, kind: 'webhook', facts, send }, signal)
  return { webhookId: webhook.id, url: webhook.url, record }
}

/**
 * Sends a finished delivery of a webhook again, in one attempt.
 * @throws AppError `delivery_not_found`, `delivery_pending`; the signal's reason
 */
export async function redeliverToWebhook(
  services: WebhookDependencies,
  id: string,
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  const send = (delivery: Delivery, stop: AbortSignal): Promise<AttemptResult> => sendWebhook(services, delivery, stop)
  return redeliver(services, { id, kind: 'webhook', send }, signal)
}
