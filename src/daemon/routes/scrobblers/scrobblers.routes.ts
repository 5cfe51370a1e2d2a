import {
  authorizeScrobbler,
  connectScrobbler,
  disconnectScrobbler,
  listScrobbleServices,
} from '../../../core/scrobbling/index.ts'
import { scrobblerView, scrobbleServiceView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { requireFullSessionOfRequest, signedInAccount } from '../../http/signed-in-account.ts'
import {
  AuthorizationReply,
  ConnectBody,
  ConnectionReply,
  ServiceList,
  ServiceParameters,
} from './scrobblers.schemas.ts'
import { authorizationView } from './scrobblers.view.ts'

/** The user's own connections with services that keep the history of listeners and viewers. */
export const scrobblerRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/scrobblers',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: ServiceList } },
    handler: async (request) => {
      const states = await listScrobbleServices(services, signedInAccount(request).id)
      return { services: states.map(scrobbleServiceView) }
    },
  })

  app.route({
    method: 'POST',
    url: '/scrobblers/:service/authorize',
    config: { access: 'user', reveals: 'none', surface: 'scrobbler_connect', carriesSecrets: true },
    schema: { params: ServiceParameters, response: { 200: AuthorizationReply } },
    handler: async (request) => {
      await requireFullSessionOfRequest(services, request)
      return authorizationView(await authorizeScrobbler(services, request.params.service))
    },
  })

  app.route({
    method: 'POST',
    url: '/scrobblers/:service',
    config: { access: 'user', reveals: 'none', surface: 'scrobbler_connect' },
    schema: { params: ServiceParameters, body: ConnectBody, response: { 200: ConnectionReply } },
    handler: async (request) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      const reference = { userId: account.id, service: request.params.service }
      return { connection: scrobblerView(await connectScrobbler(services, { ...reference, code: request.body.code })) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/scrobblers/:service',
    config: { access: 'user', reveals: 'none' },
    schema: { params: ServiceParameters, response: { 200: ConnectionReply } },
    handler: async (request) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      const reference = { userId: account.id, service: request.params.service }
      return { connection: scrobblerView(await disconnectScrobbler(services, reference)) }
    },
  })
}
