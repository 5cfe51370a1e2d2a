import { Type } from 'typebox'
import { IDENTITY_NONCE_PATTERN, isLocalHost } from '../../../core/hub-protocol/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { ServerIdentity } from './hub-link.schemas.ts'

const Question = Type.Object({
  server_id: Type.String({ pattern: '^[0-9a-fA-F-]{36}$' }),
  nonce: Type.String({ pattern: IDENTITY_NONCE_PATTERN }),
})

/**
 * `/api/v1/server-identity`: the proof that the host at this address is a certain server. It says nothing to somebody who does not know the
 * id of the server at its hub.
 */
export const serverIdentityRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'public', reveals: 'none', surface: 'jwks' },
    schema: { querystring: Question, response: { 200: ServerIdentity } },
    handler: async (request, reply) => {
      const { query, headers, socket } = request
      const proof = await services.hubLink.proveIdentity({
        serverId: query.server_id,
        nonce: query.nonce,
        host: headers.host ?? '',
        isClientLocal: request.isAddressKnown && isLocalHost(request.clientAddress),
        serverPort: socket.localPort ?? services.config.options['server.port'],
      })
      if (proof === undefined) throw httpErrors.not_found()
      const { kid, signature, hubOrigin } = proof
      // The page of the hub asks from its own origin. It sends no credentials.
      if (headers.origin === hubOrigin) reply.headers({ 'access-control-allow-origin': hubOrigin, vary: 'Origin' })
      return { kid, signature }
    },
  })
}
