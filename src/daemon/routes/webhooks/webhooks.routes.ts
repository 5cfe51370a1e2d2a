import { deleteDelivery, listDeliveries } from '../../../core/outbox/index.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  redeliverToWebhook,
  testWebhook,
  updateWebhook,
} from '../../../core/webhooks/index.ts'
import { webhookView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import {
  DeliveryLog,
  LogQuery,
  OneWebhook,
  RetriedDelivery,
  TestResult,
  WebhookBody,
  WebhookList,
} from './webhooks.schemas.ts'
import { deliveryLogView, retriedDeliveryView, testView } from './webhooks.view.ts'

/** Webhooks of administrators. */
export const webhookRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { body: WebhookBody, response: { 201: OneWebhook } },
    handler: async ({ body }, reply) => {
      const webhook = await createWebhook(services, body)
      return reply.code(201).send({ webhook: webhookView(webhook) })
    },
  })

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { response: { 200: WebhookList } },
    handler: async () => ({ webhooks: (await listWebhooks(services)).map(webhookView) }),
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneWebhook } },
    handler: async ({ params }) => ({ webhook: webhookView(await getWebhook(services, params.id)) }),
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: WebhookBody, response: { 200: OneWebhook } },
    handler: async ({ params, body: { is_active: isActive, ...changes } }) => ({
      webhook: webhookView(await updateWebhook(services, params.id, { ...changes, isActive })),
    }),
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters },
    handler: async ({ params }, reply) => {
      await deleteWebhook(services, params.id)
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/test',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: TestResult } },
    handler: async ({ params, signal }) => testView(await testWebhook(services, params.id, signal)),
  })
}

/** The delivery log of webhooks: past and pending deliveries. */
export const webhookLogRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: LogQuery, response: { 200: DeliveryLog } },
    handler: async ({ query: { webhook_id: targetId, per_page: perPage, page, status } }) =>
      deliveryLogView(await listDeliveries(services, { kind: 'webhook', targetId, status, page, perPage })),
  })

  app.route({
    method: 'POST',
    url: '/:id/retry',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: RetriedDelivery } },
    handler: async ({ params, signal }) => retriedDeliveryView(await redeliverToWebhook(services, params.id, signal)),
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters },
    handler: async ({ params }, reply) => {
      await deleteDelivery(services, { id: params.id, kind: 'webhook' })
      return reply.code(204).send()
    },
  })
}
