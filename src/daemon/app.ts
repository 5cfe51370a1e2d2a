import { randomUUID } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify, LogController, type FastifyBaseLogger } from 'fastify'
import { createRecentLines, type RecentLines } from '../core/platform/logging/index.ts'
import type { SigningServices } from '../core/services.ts'
import type { App, Lifecycle, RouteEntry } from './http/app-types.ts'
import { answerClientError } from './http/client-error.ts'
import { createPageCache } from './http/page-cache.ts'
import { parseQueryString } from './http/query-string.ts'
import { installTokens } from './plugins/authentication.ts'
import { createChunkBuffers } from './http/chunk-buffers.ts'
import { installBufferCollection } from './plugins/buffer-collection.ts'
import { createAddressReader, installClientAddress, type ReadClientAddress } from './plugins/client-address.ts'
import { installCrossOrigin } from './plugins/cross-origin.ts'
import { installErrors, sendError } from './plugins/errors.ts'
import { installGuards } from './plugins/guards.ts'
import { installJsonBodies } from './plugins/json-bodies.ts'
import { installRateLimits } from './plugins/rate-limits.ts'
import { installReplyHeaders, setReplyHeaders } from './plugins/reply-headers.ts'
import { installRequestLog, logWhenDone } from './plugins/request-log.ts'
import { installBackgroundThrottle } from './plugins/background-throttle.ts'
import { installSerialization } from './plugins/serialization.ts'
import { installStopping } from './plugins/stopping.ts'
import { installTraffic } from './plugins/traffic.ts'
import { installConcurrencyLimit } from './plugins/concurrency-limit.ts'
import { installUnknownAddresses } from './plugins/unknown-addresses.ts'
import { installValidation } from './plugins/validation.ts'
import { createRoutes } from './routes/index.ts'
import { isSyncPlayHandshake, type UpgradeRequest } from './ws/upgrade-url.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Path parameters carry names of artists and albums and credential ids, which can be long. */
const MAX_PARAMETER_LENGTH = 2048

/** A complete request must arrive within 60 s and its headers within 20 s. An idle connection is closed after 120 s. */
const TIMEOUTS = {
  connectionTimeout: 120_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 20_000, connectionsCheckingInterval: 2000 },
}

/**
 * The symbol under which a plugin function has its name. For a function without it, Fastify searches all loaded modules, several times for
 * each plugin.
 */
const PLUGIN_NAME = Symbol.for('fastify.display-name')

export type AppOptions = {
  lifecycle?: Lifecycle
  routes?: readonly RouteEntry[]
  /** The newest lines that the services have logged. */
  recentLines?: RecentLines
}

/**
 * Builds the HTTP application: plugins first, then routes. It does not listen; `serve` does, and tests inject requests.
 * @throws Error when a route declares no access level
 */
export async function buildApp(services: SigningServices, options: AppOptions = {}): Promise<App> {
  const { lifecycle = { isStopping: false }, routes = createRoutes(), recentLines = createRecentLines() } = options
  const readClientAddress = createAddressReader(services)
  const app = createInstance(services, readClientAddress, { shouldUpgradeCallback: isSyncPlayHandshake })
  installClientAddress(app, services, readClientAddress)
  installRequestLog(app)
  installTraffic(app, services)
  installBackgroundThrottle(app, services)
  installReplyHeaders(app)
  installErrors(app)
  installCrossOrigin(app, services)
  installStopping(app, lifecycle)
  installValidation(app)
  installSerialization(app)
  installJsonBodies(app)
  const tokens = await installTokens(app, services)
  app.decorate('tokens', tokens)
  app.decorate('chunkBuffers', createChunkBuffers())
  installGuards(app, { services, tokens })
  await installRateLimits(app, services)
  installConcurrencyLimit(app)
  installUnknownAddresses(app)
  const context = { services, tokens, lifecycle, recentLines, pages: createPageCache(services) }
  for (const [prefix, plugin] of routes) {
    const scoped = async (scope: App): Promise<void> => plugin(scope, context)
    await app.register(Object.assign(scoped, { [PLUGIN_NAME]: prefix }), { prefix })
  }
  await app.ready()
  return app
}

/**
 * Creates a Fastify instance with the limits, the log, the collection of received buffers and the answer to malformed requests that both
 * ports share.
 * @param upgrades selects the requests that become WebSockets; by default all upgrade requests once a listener is attached
 */
export function createInstance(
  { log }: Pick<SigningServices, 'log'>,
  readClientAddress: ReadClientAddress,
  upgrades: { shouldUpgradeCallback?: (request: UpgradeRequest) => boolean } = {},
): App {
  const logger: FastifyBaseLogger = log.child({ domain: 'http' })
  const app = fastify({
    ...TIMEOUTS,
    http: { ...TIMEOUTS.http, ...upgrades },
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: parseQueryString },
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // Requests that fail before routing pass no hooks.
    frameworkErrors: (error, request, reply) => {
      logWhenDone(request, reply, readClientAddress(request))
      setReplyHeaders(request, reply)
      sendError(error, request, reply)
    },
    clientErrorHandler: answerClientError,
  })
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  installBufferCollection(typed)
  return typed
}
