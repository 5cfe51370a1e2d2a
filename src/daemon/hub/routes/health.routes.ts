import { Type } from 'typebox'
import type { HubRoutePlugin } from '../hub-context.ts'

/** Probes for supervisors and load balancers. */
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
}
