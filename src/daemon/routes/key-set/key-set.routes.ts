import { createKeySet } from '../../../core/platform/keys/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { PublicKeySet } from './key-set.schemas.ts'

/** The public key set (JWKS). */
export const keySetRoutes: RoutePlugin = (app, { services }) => {
  const keySet = createKeySet(services)
  app.route({
    method: 'GET',
    url: '/jwks.json',
    config: { access: 'public', reveals: 'none', surface: 'jwks' },
    schema: { response: { 200: PublicKeySet } },
    // Fastify adds a charset to JSON; the API requires exactly this type.
    onSend: async (_request, reply) => {
      if (reply.statusCode === 200) reply.header('content-type', 'application/json')
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      return { keys: await keySet.publicKeys() }
    },
  })
}
