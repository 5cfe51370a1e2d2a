import { timingSafeEqual, createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { configErrors, type Config } from '../../core/platform/config/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { createInstance } from '../fastify-instance.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { listeningAddress, startListening } from '../start-listening.ts'
import { installErrors } from '../hooks/errors.ts'

export type MetricsServer = { port: number; close(): Promise<void> }

/**
 * Serves `/metrics` on a port of its own. Undefined if `metrics.port` is 0.
 * @throws AppError `invalid_config` for an open address without a token; `address_in_use`, `address_not_permitted`
 */
export async function startMetricsServer(
  services: SigningServices,
  { traffic }: Pick<App, 'traffic'>,
): Promise<MetricsServer | undefined> {
  const { 'metrics.port': port, 'metrics.host': host, 'metrics.token': token } = services.config.options
  if (port === 0) return undefined
  requireToken(services.config)
  // Loaded on demand: a server without metrics needs neither the library nor its observers.
  const { createPrometheus } = await import('../metrics/prometheus/prometheus.ts')
  const prometheus = createPrometheus(services, traffic)
  const app = createInstance(services, ({ raw }) => raw.socket.remoteAddress ?? '')
  installErrors(app)
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      throw httpErrors.auth_required()
    }
    return reply.type(prometheus.contentType).send(await prometheus.render())
  })
  try {
    await startListening(app, { host, port, option: 'metrics.port' })
  } catch (error) {
    prometheus.close()
    throw error
  }
  return {
    port: listeningAddress(app).port,
    async close() {
      prometheus.close()
      await app.close()
    },
  }
}

/**
 * Metrics show what a server is used for.
 * @throws AppError `invalid_config`
 */
export function requireToken({ options }: Pick<Config, 'options'>): void {
  const host = options['metrics.host']
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  if (options['metrics.port'] === 0 || isLoopback || options['metrics.token'] !== undefined) return
  const problem = `metrics.token must be set when metrics.host is ${host}`
  throw configErrors.invalid_config({ message: problem, details: { problems: [problem] } })
}

/** Compares two texts in constant time, even if their lengths differ. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}
