import type { RoutePlugin } from '../../http/app-types.ts'
import { NetworkHealth, RelayHealth } from './network-health.schemas.ts'
import { networkHealthView, relayHealthView } from './network-health.view.ts'

/** State of remote access. Clients poll it every 30 s, also before sign-in. */
export const networkHealthRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/relay',
    config: { access: 'public', reveals: 'none', isProbe: true },
    schema: { response: { 200: RelayHealth } },
    handler: async () => relayHealthView(services.hubLink.status(), services.relayLink.state()),
  })

  app.route({
    method: 'GET',
    url: '/network',
    config: { access: 'public', reveals: 'none', isProbe: true },
    schema: { response: { 200: NetworkHealth } },
    handler: async () => networkHealthView(services.hubLink.status(), services.clock.now()),
  })
}
