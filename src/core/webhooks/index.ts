export { envelopeOf } from './envelope.ts'
export { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './keep-webhooks.ts'
export { redeliverToWebhook, sendWebhook, testWebhook, type WebhookTest } from './send-webhook.ts'
export type { Webhook } from './webhook.ts'
