import { createApiKey, listApiKeys, revokeApiKey } from '../../../core/api-keys/index.ts'
import { apiKeyView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { signedInAccount, signedInSession } from '../../http/signed-in-account.ts'
import { KeyList, NewKey, NewKeyBody } from './api-keys.schemas.ts'

/** The API keys of the user. */
export const ownApiKeyRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: KeyList } },
    handler: async (request) => {
      const keys = await listApiKeys(services, { accountId: signedInAccount(request).id })
      return { api_keys: keys.map(apiKeyView) }
    },
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'none', invalidStatus: 422, carriesSecrets: true },
    schema: { body: NewKeyBody, response: { 201: NewKey } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const { name, scopes, expires_at: expires = null } = request.body
      const { apiKey, key } = await createApiKey(services, {
        account,
        session: { accountId: account.id, sessionId },
        name,
        scopes,
        expiresAt: expires === null ? null : new Date(expires),
      })
      return reply.code(201).send({ id: apiKey.id, key })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await revokeApiKey(services, { id: request.params.id, accountId: signedInAccount(request).id })
      return { message: 'The key is revoked' }
    },
  })
}

/** The API keys of all users, for administrators. */
export const adminApiKeyRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: KeyList } },
    handler: async () => ({ api_keys: (await listApiKeys(services, {})).map(apiKeyView) }),
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params }) => {
      await revokeApiKey(services, { id: params.id })
      return { message: 'The key is revoked' }
    },
  })
}
