import { SERVER_IDENTITY_PATH } from '../../../core/hub-protocol/index.ts'
import {
  hubErrors,
  listAccessCandidates,
  listServersOfUser,
  issueServerToken,
  myServerView,
  removeHubServer,
} from '../../../core/hub/index.ts'
import { IdParameters } from '../../http/schemas.ts'
import { resolveHubOrigin, signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { AccessInfo, Libraries, LibrariesQuery, MyServers, ServerToken } from './my-servers.schemas.ts'

/** Routes for a signed-in hub user: the servers and libraries the user may access. */
export const myServerRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/servers',
    config: { access: 'user' },
    schema: { response: { 200: MyServers } },
    handler: async (request) => {
      const servers = await listServersOfUser(services, signedInUser(request).id)
      const now = services.clock.now()
      return { servers: servers.map((server) => myServerView(server, now)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/servers/:id/access-info',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: AccessInfo } },
    handler: async (request) => {
      const { id } = request.params
      const { id: userId } = signedInUser(request)
      const server = (await listServersOfUser(services, userId)).find((own) => own.id === id.toLowerCase())
      if (server === undefined) throw await refusal(userId, id)
      const [first = null] = server.hostnameCandidates
      const relayUrl = `${resolveHubOrigin(services, request)}/api/v1/servers/${server.id}/proxy`
      return {
        server_id: server.id,
        direct_url: first,
        direct_urls: server.hostnameCandidates,
        relay_url: relayUrl,
        relay_active: server.hasTunnel,
        candidates: listAccessCandidates(server.hostnameCandidates, relayUrl),
        // Where the host at a direct address proves with one of these keys that it is this server.
        identity_path: SERVER_IDENTITY_PATH,
        public_keys: server.publicKeys,
      }
    },
  })

  /** Why a server is not among those of a user. */
  async function refusal(userId: string, serverId: string): Promise<Error> {
    const { state } = await services.directory.findServer({ userId, serverId })
    return state === 'not_found' ? hubErrors.server_not_found() : hubErrors.server_not_owned()
  }

  app.route({
    method: 'POST',
    url: '/servers/:id/token',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: ServerToken } },
    handler: async (request) => {
      const input = { userId: signedInUser(request).id, serverId: request.params.id }
      const { token, expiresInSeconds } = await issueServerToken(services, input)
      return { token, token_type: 'Bearer' as const, expires_in: expiresInSeconds }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/servers/:id',
    config: { access: 'user' },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      await removeHubServer(services, { id: request.params.id, user: signedInUser(request) })
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'GET',
    url: '/libraries',
    config: { access: 'user' },
    schema: { querystring: LibrariesQuery, response: { 200: Libraries } },
    handler: async (request) => {
      const wanted = request.query.server_id?.toLowerCase()
      const servers = await listServersOfUser(services, signedInUser(request).id)
      const libraries = servers
        .filter(({ id }) => wanted === undefined || wanted === id)
        .flatMap(({ id, libraries }) => libraries.map((library) => ({ server_id: id, ...library })))
      return { libraries }
    },
  })
}
