import { createRecentLines, type RecentLines } from '../core/platform/logging/index.ts'
import type { SigningServices } from '../core/services.ts'
import type { App, Lifecycle, RouteEntry } from './http/app-types.ts'
import { createInstance } from './fastify-instance.ts'
import { requireKeyRules } from './http/key-scopes.ts'
import { requireProfileRules } from './http/profile-rules.ts'
import { createListReplyCache } from './http/list-reply-cache.ts'
import { createViewerHandlers } from './http/viewer-handlers.ts'
import { installTokenLibrary } from './hooks/authentication.ts'
import { createChunkBuffers } from './http/chunk-buffers.ts'
import { createWebPages } from './http/web-pages.ts'
import { installAddressGrants } from './hooks/address-grants.ts'
import { installCompression } from './hooks/compression.ts'
import { createAddressReader, installClientAddress } from './hooks/client-address.ts'
import { installCrossOrigin } from './hooks/cross-origin.ts'
import { cutOffEndedSessions } from './hooks/ended-sessions.ts'
import { installErrors } from './hooks/errors.ts'
import { installAccessGuards } from './hooks/access-guards.ts'
import { installJsonBodies } from './hooks/json-bodies.ts'
import { installRateLimits } from './hooks/rate-limits.ts'
import { installReplyHeaders } from './hooks/reply-headers.ts'
import { installRequestLog } from './hooks/request-log.ts'
import { installBackgroundThrottle } from './hooks/background-throttle.ts'
import { installSerialization } from './hooks/serialization.ts'
import { refuseRequestsWhileStopping } from './hooks/refuse-while-stopping.ts'
import { installTrafficCounter } from './hooks/count-traffic.ts'
import { installConcurrencyLimit } from './hooks/concurrency-limit.ts'
import { installUnknownAddresses } from './hooks/unknown-addresses.ts'
import { installPlaybackLimits } from './hooks/playback-limits.ts'
import { installValidation } from './hooks/validation.ts'
import { createRoutes } from './routes/index.ts'
import { isSyncPlayHandshake } from './ws/upgrade-url.ts'

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
 * @throws Error when a route declares no access level, or not whether it reveals items, or has no rule for API keys
 */
export async function buildApp(services: SigningServices, options: AppOptions = {}): Promise<App> {
  const { lifecycle = { isStopping: false }, routes = createRoutes(), recentLines = createRecentLines() } = options
  const readClientAddress = createAddressReader(services)
  const app = createInstance(services, readClientAddress, { shouldUpgradeCallback: isSyncPlayHandshake })
  // Before the texts are compressed.
  installAddressGrants(app, services)
  // Before the hooks that end the accounting of a request: compressing is part of making its reply.
  installCompression(app)
  installClientAddress(app, services, readClientAddress)
  installRequestLog(app)
  installTrafficCounter(app, services)
  installBackgroundThrottle(app, services)
  installReplyHeaders(app)
  installErrors(app)
  installCrossOrigin(app, services)
  refuseRequestsWhileStopping(app, lifecycle)
  installValidation(app)
  installSerialization(app)
  installJsonBodies(app)
  const tokens = await installTokenLibrary(app, services)
  app.decorate('tokens', tokens)
  app.decorate('chunkBuffers', createChunkBuffers())
  app.decorate('webPages', createWebPages())
  installAccessGuards(app, { services, tokens })
  cutOffEndedSessions(app, services)
  installPlaybackLimits(app, services)
  await installRateLimits(app, services)
  installConcurrencyLimit(app)
  installUnknownAddresses(app)
  const granting = { ...services, signer: services.signer.withGrants() }
  const context = { services: granting, tokens, lifecycle, recentLines, listReplies: createListReplyCache(services) }
  const viewerHandlers = createViewerHandlers(context)
  for (const entry of routes) {
    const [prefix] = entry
    const scoped = async (scope: App): Promise<void> => viewerHandlers.register(scope, entry)
    await app.register(Object.assign(scoped, { [PLUGIN_NAME]: prefix }), { prefix })
  }
  // Tests of single plugins bring their own routes.
  if (options.routes === undefined) {
    requireKeyRules(app.declaredRoutes)
    requireProfileRules(app.declaredRoutes)
  }
  await app.ready()
  return app
}
