import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import { ServerUrlCandidates, PortForwardingState } from './port-forwarding.schemas.ts'
import { addressCandidatesView, portForwardingView } from './port-forwarding.view.ts'

/** `/api/v1/admin/remote/portforward`: the port that the router forwards to this server. */
export const portForwardingRoutes: RoutePlugin = (app, { services }) => {
  const { portForwarding, log } = services
  const publicUrl = services.config.options['server.public_url']
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/status',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: PortForwardingState } },
    handler: async () => portForwardingView(await portForwarding.report(), publicUrl),
  })

  app.route({
    method: 'POST',
    url: '/enable',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: PortForwardingState } },
    handler: async (request) => {
      const report = await portForwarding.enable()
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator switched port forwarding on')
      return portForwardingView(report, publicUrl)
    },
  })

  app.route({
    method: 'POST',
    url: '/disable',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: PortForwardingState } },
    handler: async (request) => {
      const report = await portForwarding.disable()
      log.notice({ accountId: signedInAccount(request).id }, 'an administrator switched port forwarding off')
      return portForwardingView(report, publicUrl)
    },
  })

  app.route({
    method: 'GET',
    url: '/candidates',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: ServerUrlCandidates } },
    handler: async () => addressCandidatesView(await portForwarding.report(), publicUrl),
  })
}
