import type { SigningServices } from '../../../core/services.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import { RelayLatency, RelayState } from './relay-link.schemas.ts'
import { relayStateView } from './relay-link.view.ts'

/** A server is offline for its hub after this number of missing heartbeats. */
const MISSING_HEARTBEATS = 3

/** `/api/v1/admin/remote/relay`: the tunnel of this server to its hub. */
export const relayLinkRoutes: RoutePlugin = (app, { services }) => {
  const { relayLink, log } = services
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/status',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: RelayState } },
    handler: async () => relayStateView(await relayLink.report(), isHeartbeatStale(services)),
  })

  app.route({
    method: 'POST',
    url: '/enable',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: RelayState } },
    handler: async (request) => {
      const report = await relayLink.enable()
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator switched the relay on')
      return relayStateView(report, isHeartbeatStale(services))
    },
  })

  app.route({
    method: 'POST',
    url: '/disable',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: RelayState } },
    handler: async (request) => {
      const report = await relayLink.disable()
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator switched the relay off')
      return relayStateView(report, isHeartbeatStale(services))
    },
  })

  app.route({
    method: 'POST',
    url: '/ping',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: RelayLatency } },
    handler: async () => ({
      success: true as const,
      latencyMs: Math.round(await relayLink.ping()),
      heartbeatStale: isHeartbeatStale(services),
    }),
  })
}

type Dependencies = Pick<SigningServices, 'clock' | 'config' | 'hubLink'>

/** Whether the hub counts this server as offline. */
function isHeartbeatStale({ clock, config, hubLink }: Dependencies): boolean {
  const { isPaired, lastHeartbeatAt } = hubLink.status()
  if (!isPaired) return false
  const limitMilliseconds = MISSING_HEARTBEATS * config.options['hub.heartbeat_seconds'] * 1000
  return lastHeartbeatAt === null || clock.now().getTime() - lastHeartbeatAt.getTime() > limitMilliseconds
}
