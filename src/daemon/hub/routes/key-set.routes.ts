import { PublicKeySet } from '../../routes/key-set/key-set.schemas.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

/** The public key set with which home servers check the tokens of this hub. */
export const hubKeySetRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    config: { access: 'public', surface: 'jwks' },
    schema: { response: { 200: PublicKeySet } },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300')
      return { keys: await services.signingKeys.publicKeys() }
    },
  })
}
