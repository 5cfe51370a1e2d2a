import type { DeliveryPage, DeliveryRecord } from '../../../core/outbox/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { Webhook, WebhookTest } from '../../../core/webhooks/index.ts'

/** A row of the list; it never contains the secret. */
export function webhookView(webhook: Webhook) {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    events: [...webhook.events],
    is_active: webhook.isActive,
    created_at: toIsoTimestamp(webhook.createdAt),
    updated_at: toIsoTimestamp(webhook.updatedAt),
    last_triggered_at: isoTimestampOrNull(webhook.lastTriggeredAt),
    failure_count: webhook.failureCount,
    dropped_count: webhook.droppedCount,
  }
}

/** The result of a test, in the form of a dispatch to several webhooks. */
export function testView({ webhookId, url, record }: WebhookTest) {
  const isDelivered = record.status === 'success'
  const failure = { webhook_id: webhookId, url, error: record.errorMessage ?? 'It was not delivered.' }
  return {
    success: isDelivered,
    success_count: isDelivered ? 1 : 0,
    failure_count: isDelivered ? 0 : 1,
    failures: isDelivered ? [] : [failure],
  }
}

export function deliveryLogView({ deliveries, total, page, perPage }: DeliveryPage) {
  return { logs: deliveries.map(logView), total, page, per_page: perPage }
}

/** A delivery after another attempt. */
export function retriedView(record: DeliveryRecord) {
  const isDelivered = record.status === 'success'
  return { success: isDelivered, message: isDelivered ? 'Delivered' : 'Delivery failed', log: logView(record) }
}

function logView(record: DeliveryRecord) {
  return {
    id: record.id,
    webhook_id: record.targetId,
    webhook_name: record.targetName,
    event: record.event,
    status: record.status,
    occurred_at: toIsoTimestamp(record.occurredAt),
    attempted_at: isoTimestampOrNull(record.attemptedAt),
    status_code: record.statusCode,
    response_body: record.responseBody,
    error_message: record.errorMessage,
    retry_count: Math.max(record.attempts - 1, 0),
    next_retry_at: isoTimestampOrNull(record.nextAttemptAt),
  }
}
