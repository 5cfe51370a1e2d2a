import type { HubServices } from '../../core/hub/index.ts'
import type { App } from '../http/app-types.ts'
import { createInstance } from '../fastify-instance.ts'
import { createAddressReader, installClientAddress } from '../hooks/client-address.ts'
import { installCrossOrigin } from '../hooks/cross-origin.ts'
import { installErrors } from '../hooks/errors.ts'
import { installJsonBodies } from '../hooks/json-bodies.ts'
import { installRateLimits } from '../hooks/rate-limits.ts'
import { installReplyHeaders } from '../hooks/reply-headers.ts'
import { installRequestLog } from '../hooks/request-log.ts'
import { installSerialization } from '../hooks/serialization.ts'
import { refuseRequestsWhileStopping } from '../hooks/refuse-while-stopping.ts'
import { installUnknownAddresses } from '../hooks/unknown-addresses.ts'
import { installValidation } from '../hooks/validation.ts'
import { createWebPages } from '../http/web-pages.ts'
import type { HubContext } from './hub-context.ts'
import { installHubGuards } from './hub-guards.ts'
import { HUB_ROUTES } from './routes/index.ts'

/**
 * Builds the HTTP application of a hub: plugins first, then routes. It does not listen; `serveHub` does, and tests do.
 * @throws Error when a route declares no access level
 */
export async function buildHubApp(services: HubServices, parts: Omit<HubContext, 'services'>): Promise<App> {
  const readClientAddress = createAddressReader(services)
  // A hub accepts no upgrades on this port.
  const app = createInstance(services, readClientAddress, { shouldUpgradeCallback: () => false })
  installClientAddress(app, services, readClientAddress)
  installRequestLog(app)
  installReplyHeaders(app)
  installErrors(app)
  installCrossOrigin(app, services)
  refuseRequestsWhileStopping(app, parts.lifecycle)
  installValidation(app)
  installSerialization(app)
  installJsonBodies(app)
  app.decorate('webPages', createWebPages())
  installHubGuards(app, services)
  await installRateLimits(app, services)
  installUnknownAddresses(app)
  const context: HubContext = { services, ...parts }
  for (const [prefix, plugin] of HUB_ROUTES) {
    await app.register(async (scope: App): Promise<void> => plugin(scope, context), { prefix })
  }
  await app.ready()
  return app
}
