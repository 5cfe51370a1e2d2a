import {
  deliverNow,
  redeliver,
  type Delivery,
  type DeliveryDependencies,
  type DeliveryRecord,
  type Receipt,
} from '../outbox/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import { refuseOwnAddress, webhookTrust } from './check-webhook-url.ts'
import { envelopeOf, signatureHeaders } from './envelope.ts'
import { getWebhook } from './keep-webhooks.ts'
import { selectAddress } from './queries.ts'

export type WebhookDependencies = DeliveryDependencies & { outbound: Outbound }

/** Of a reply; more ends the exchange (SS-05). */
const READ_BYTES = 64 * 1024
/** Of a reply, in the log. */
const KEPT_CHARACTERS = 2000

/**
 * Posts a delivery to its webhook, signed. Any status of 200 to 299 is an arrival; a redirect is none, and not followed.
 * @throws the signal's reason
 */
export async function sendWebhook(
  services: WebhookDependencies,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Receipt> {
  const { config, db, clock, outbound } = services
  const address = await selectAddress(db, delivery.targetId)
  if (address === undefined) return failure('The webhook was deleted.', { isFinal: true })
  const body = JSON.stringify(envelopeOf(delivery))
  const signature = signatureHeaders(body, { secret: address.secret, unixSeconds: clock.unixSeconds() })
  try {
    refuseOwnAddress(config, new URL(address.url))
    const reply = await outbound.send(
      {
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

function failure(error: string, more: { isFinal?: boolean } = {}): Receipt {
  return { isDelivered: false, statusCode: null, responseBody: null, error, ...more }
}

/** A reply as the log keeps it: cut, storable, and without the secret, should the target know and say it (WH-02). */
function storable(text: string, secret: string): string {
  return text.replaceAll(secret, '***').replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed()
}

/** How a test went. */
export type WebhookTest = { webhookId: string; url: string; record: DeliveryRecord }

/**
 * Delivers one `webhook.test` to a webhook, also to one that does not want to hear of it, in one attempt (client facts 5.4, Test).
 * @throws AppError `webhook_not_found`; the signal's reason
 */
export async function testWebhook(
  services: WebhookDependencies,
  id: string,
  signal: AbortSignal,
): Promise<WebhookTest> {
  const webhook = await getWebhook(services, id)
  const facts = { event: 'webhook.test', message: 'This is a test of the webhook.' } as const
  const send = (delivery: Delivery, stop: AbortSignal): Promise<Receipt> => sendWebhook(services, delivery, stop)
  const record = await deliverNow(services, { targetId: webhook.id, kind: 'webhook', facts, send }, signal)
  return { webhookId: webhook.id, url: webhook.url, record }
}

/**
 * Sends a delivery to a webhook that has ended once more, in one attempt.
 * @throws AppError `delivery_not_found`, `delivery_pending`; the signal's reason
 */
export async function redeliverToWebhook(
  services: WebhookDependencies,
  id: string,
  signal: AbortSignal,
): Promise<DeliveryRecord> {
  const send = (delivery: Delivery, stop: AbortSignal): Promise<Receipt> => sendWebhook(services, delivery, stop)
  return redeliver(services, { id, kind: 'webhook', send }, signal)
}
