import type { FastifyRequest } from 'fastify'
import type { AdmittedRequest, Viewer } from '../../../core/hub-relay/index.ts'
import { createProcessCounts, rateLimitedError } from '../../../core/platform/rate-limits/index.ts'
import { signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { headerFieldsOf, createViewerConnection } from './viewer-connection.ts'
import { parseProxyTarget } from './parse-proxy-target.ts'

/** Requests of one user within a window. Players load playlists, segments and pictures, each with a request. */
const USER_LIMIT = { max: 600, windowSeconds: 60 }

/** Bodies are JSON of single requests. */
const MAX_BODY_BYTES = 1024 * 1024

/** The allowlist decides; methods that are not routed would be answered with 404 before the server is looked up. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']

/** `/api/v1/servers/{id}/proxy/{path}`: requests for a home server, forwarded through its tunnel. */
export const proxyRoutes: HubRoutePlugin = (app, { services, relay }) => {
  const counts = createProcessCounts(services, USER_LIMIT)
  const admitted = new WeakMap<FastifyRequest, { one: AdmittedRequest; viewer: Viewer }>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) => {
    done(null, body)
  })

  app.route<{ Params: { serverId: string }; Body: Buffer | undefined }>({
    method: METHODS,
    url: '/:serverId/proxy/*',
    config: { access: 'user' },
    // Before the body is read.
    onRequest: async (request, reply) => {
      const { id: userId } = signedInUser(request)
      const { hits, millisecondsLeft } = counts.countHit(userId)
      if (hits > USER_LIMIT.max) throw rateLimitedError(millisecondsLeft)
      const viewer = createViewerConnection(reply)
      const viewed = {
        userId,
        // Tunnels and events name servers as the database does.
        serverId: request.params.serverId.toLowerCase(),
        method: request.method,
        target: parseProxyTarget(request.raw.url ?? ''),
        fields: headerFieldsOf(request),
        address: request.clientAddress,
      }
      const one = await relay.admit(viewed, viewer.signal)
      // The body may never arrive, or be refused.
      if (reply.raw.closed) one.release()
      else reply.raw.once('close', () => one.release())
      admitted.set(request, { one, viewer })
    },
    handler: async (request) => {
      const admission = admitted.get(request)
      if (admission === undefined) throw new Error('the request was not admitted')
      const { one, viewer } = admission
      await relay.send(one, { body: request.body, viewer })
    },
  })
}
