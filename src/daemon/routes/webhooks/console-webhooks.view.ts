import { webhookView } from '../../../core/views/index.ts'
import type { Webhook } from '../../../core/webhooks/index.ts'

/** A webhook with the keys of the console client. */
export function subscriptionView(webhook: Webhook) {
  return { ...webhookView(webhook), enabled: webhook.isActive }
}

/** The rows, and again under `data`, where the console client reads them. */
export function subscriptionListView(webhooks: readonly Webhook[]) {
  const subscriptions = webhooks.map(subscriptionView)
  return { subscriptions, data: { subscriptions } }
}
