import { deleteWebhook, listWebhooks, createSubscription, updateWebhook } from '../../../core/webhooks/index.ts'
import type { RouteContext, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { ChangeSubscriptionBody, NewSubscription, SubscribeBody, SubscriptionList } from './console-webhooks.schemas.ts'
import { subscriptionListView, subscriptionView } from './console-webhooks.view.ts'

/** The routes of webhooks with the path and the keys of the console client, which sends neither name nor secret. */
export const consoleWebhookRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { response: { 200: SubscriptionList } },
    handler: async () => listSubscriptions(services),
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin', reveals: 'items', carriesSecrets: true },
    schema: { body: SubscribeBody, response: { 201: NewSubscription } },
    handler: async ({ body }, reply) => {
      const { webhook, secret } = await createSubscription(services, body)
      return reply.code(201).send({ message: 'Webhook created', subscription: subscriptionView(webhook), secret })
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: ChangeSubscriptionBody, response: { 200: SubscriptionList } },
    handler: async ({ params, body: { enabled: isActive, ...changes } }) => {
      await updateWebhook(services, params.id, { ...changes, isActive })
      return listSubscriptions(services)
    },
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
}

async function listSubscriptions(services: RouteContext['services']) {
  return subscriptionListView(await listWebhooks(services))
}
