import type { DeliveryPage, DeliveryRecord } from '../../../core/outbox/index.ts'
import { deliveryView } from '../../../core/views/index.ts'
import type { WebhookTest } from '../../../core/webhooks/index.ts'

/** The result of a test, in the format of a dispatch to several webhooks. */
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
  return { logs: deliveries.map(deliveryView), total, page, per_page: perPage }
}

/** A delivery after another attempt. */
export function retriedDeliveryView(record: DeliveryRecord) {
  const isDelivered = record.status === 'success'
  return { success: isDelivered, message: isDelivered ? 'Delivered' : 'Delivery failed', log: deliveryView(record) }
}
