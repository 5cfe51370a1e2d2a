import { checkWebhookSecret, receiveImport } from '../../../core/requests/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { WebhookReceipt } from './integrations.schemas.ts'
import { receiptView } from './integrations.view.ts'
import { readWebhookSecret } from './webhook-secret.ts'

/** Webhooks by which Radarr and Sonarr report imports. The secret is checked before the body is read. */
export const integrationRoutes: RoutePlugin = (app, { services }) => {
  for (const name of ['radarr', 'sonarr'] as const) {
    app.route({
      method: 'POST',
      url: `/${name}/webhook`,
      config: { access: 'public', reveals: 'none' },
      schema: { response: { 200: WebhookReceipt } },
      onRequest: async (request) => checkWebhookSecret(services, readWebhookSecret(request.headers)),
      handler: async (request) => receiptView(await receiveImport(services, { name, message: request.body })),
    })
  }
}
