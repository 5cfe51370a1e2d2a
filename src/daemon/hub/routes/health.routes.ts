import { Type } from 'typebox'
import { PublicKeySet } from '../../routes/key-set/key-set.schemas.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

/** Probes, and the public key set with which home servers check the tokens of this hub. */
export const hubHealthRoutes: HubRoutePlugin = (app, { services, lifecycle }) => {
  for (const url of ['/healthz', '/health']) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'public', isProbe: true },
      schema: { response: { 200: Type.Object({ status: Type.Literal('ok') }) } },
      handler: async () => ({ status: 'ok' as const }),
    })
  }

  const Readiness = Type.Object({ status: Type.String() })
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { access: 'public', isProbe: true },
    schema: { response: { 200: Readiness, 503: Readiness } },
    handler: async (_request, reply) => {
      // Reads the database at most once a minute, and again after a failure.
      const isReady =
        !lifecycle.isStopping &&
        (await services.signingKeys.publicKeys().then(
          () => true,
          () => false,
        ))
      return isReady ? { status: 'ready' } : reply.code(503).header('retry-after', '3').send({ status: 'not_ready' })
    },
  })

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
