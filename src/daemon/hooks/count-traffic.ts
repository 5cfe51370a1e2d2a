import type { SigningServices } from '../../core/services.ts'
import type { App } from '../http/app-types.ts'
import { createTraffic } from '../metrics/traffic.ts'

const SAMPLE_MILLISECONDS = 5000

/** Counts requests, responses and connection traffic. Latency is the time until the response starts, because sending a film takes hours. */
export function installTrafficCounter(app: App, { clock }: Pick<SigningServices, 'clock'>): void {
  const traffic = createTraffic(clock)
  app.decorate('traffic', traffic)
  app.decorateRequest('answeredAfterMilliseconds', null)
  traffic.sockets.watch(app.server, 'http')
  const timer = setInterval(() => traffic.sample(), SAMPLE_MILLISECONDS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('preHandler', async ({ raw, clientAddress, account }) => {
    traffic.sockets.identify(raw.socket, { clientAddress, accountId: account?.id ?? null })
  })
  app.addHook('onSend', async (request, reply) => {
    request.answeredAfterMilliseconds = reply.elapsedTime
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? '(no route)'
    const milliseconds = request.answeredAfterMilliseconds ?? reply.elapsedTime
    const status = reply.statusCode
    traffic.count({ method, route, milliseconds, isError: status >= 500 })
    const { surface } = routeOptions.config
    for (const listener of traffic.listeners) listener({ method, route, status, milliseconds, surface })
  })
}
