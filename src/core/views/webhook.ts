import type { DeliveryRecord } from '../outbox/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'
import type { Webhook } from '../webhooks/index.ts'

/** A webhook. It never contains the secret. */
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

/** A delivery to a webhook, with the result of its last attempt. */
export function deliveryView(record: DeliveryRecord) {
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
