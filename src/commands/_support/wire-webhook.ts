import type { DeliveryRecord } from '../../core/outbox/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { Webhook } from '../../core/webhooks/index.ts'

/** A webhook as JSON, with the keys of the HTTP API. */
export function wireWebhook(webhook: Webhook): Record<string, unknown> {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    created_at: toIsoTimestamp(webhook.createdAt),
    updated_at: toIsoTimestamp(webhook.updatedAt),
    last_triggered_at: isoTimestampOrNull(webhook.lastTriggeredAt),
    failure_count: webhook.failureCount,
    dropped_count: webhook.droppedCount,
  }
}

/** A delivery as JSON, with the keys of the HTTP API's delivery log. */
export function wireDelivery(record: DeliveryRecord): Record<string, unknown> {
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

/** The result of an attempt as a sentence. */
export function describeAttempt({ status, targetName, errorMessage }: DeliveryRecord): string {
  if (status === 'success') return `Delivered to ${targetName}.`
  return `Not delivered to ${targetName}: ${errorMessage ?? 'it was not attempted'}`
}
