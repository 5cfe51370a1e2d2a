import type { FastifyRequest } from 'fastify'
import type { SigningServices } from '../../../core/services.ts'
import { createShare, listShares, revokeShare } from '../../../core/shares/index.ts'
import { shareView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply, PageQuery } from '../../http/schemas.ts'
import { signedInAccount, signedInSession } from '../../http/signed-in-account.ts'
import { NewShare, NewShareBody, ShareList } from './shares.schemas.ts'

/** The share links of the user. */
export const ownShareRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: PageQuery, response: { 200: ShareList } },
    handler: async (request) => {
      const shares = await listShares(services, { accountId: signedInAccount(request).id, ...request.query })
      return { shares: shares.map(shareView) }
    },
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'items', surface: 'share_create', invalidStatus: 422, carriesSecrets: true },
    schema: { body: NewShareBody, response: { 201: NewShare } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const { body } = request
      const { share, token } = await createShare(services, {
        account,
        profile: account.profile,
        session: { accountId: account.id, sessionId },
        subject: { itemId: body.item_id, albumId: body.album_id, collectionId: body.collection_id },
        expiresAt: body.expires_at == null ? null : new Date(body.expires_at),
        password: body.password ?? null,
        maxUses: body.max_uses ?? null,
        allowsDownload: body.allow_download === true,
      })
      return reply.code(201).send({ ...shareView(share), url: `${originOf(services, request)}/s#${token}` })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await revokeShare(services, { id: request.params.id, accountId: signedInAccount(request).id })
      return { message: 'The link is revoked' }
    },
  })
}

/** The share links of all users, for administrators. */
export const adminShareRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: PageQuery, response: { 200: ShareList } },
    handler: async ({ query }) => ({ shares: (await listShares(services, query)).map(shareView) }),
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params }) => {
      await revokeShare(services, { id: params.id })
      return { message: 'The link is revoked' }
    },
  })
}

/** The origin of the server for guests: `server.public_url`, else the one that the caller uses. */
function originOf({ config }: Pick<SigningServices, 'config'>, request: FastifyRequest): string {
  const { origin } = request.headers
  const isOwn = origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.host
  return config.options['server.public_url'] ?? (isOwn ? origin : `http://${request.host}`)
}
