import type { RoutePlugin } from '../../http/app-types.ts'
import { Health, Readiness } from './health.schemas.ts'
import { createReadiness } from './readiness.ts'

/** Health probes; no token needed. */
export const healthRoutes: RoutePlugin = (app, { services, lifecycle }) => {
  for (const url of ['/healthz', '/health']) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'public', reveals: 'none', isProbe: true, isStatusPoll: true },
      schema: { response: { 200: Health } },
      handler: async () => ({ status: 'ok' as const }),
    })
  }

  const readiness = createReadiness(services, lifecycle)
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { access: 'public', reveals: 'none', isProbe: true, isStatusPoll: true },
    schema: { response: { 200: Readiness, 503: Readiness } },
    handler: async (_request, reply) => {
      const missing = await readiness.problems()
      if (missing.length > 0) return reply.code(503).header('retry-after', '3').send({ status: 'not_ready', missing })
      return reply.send({ status: 'ready', missing })
    },
  })
}
