import {
  acceptInvite,
  createInviteLink,
  endShare,
  listInviteLinks,
  listServerShares,
  revokeInviteLink,
} from '../../../core/hub/index.ts'
import { IdParameters } from '../../http/schemas.ts'
import { resolveHubOrigin, signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { AcceptBody, AcceptedInvite, InviteBody, Invites, NewInvite, Shares } from './sharing.schemas.ts'
import { inviteLinkView, newInviteView, shareView } from './sharing.view.ts'

/** Shares of a server with other users of the hub, created by single-use invite links. */
export const sharingRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '/invite-links',
    config: { access: 'user' },
    schema: { body: InviteBody, response: { 201: NewInvite } },
    handler: async (request, reply) => {
      const { server_id: serverId, library_ids: libraryIds = null } = request.body
      const invite = await createInviteLink(services, { serverId, libraryIds, user: signedInUser(request) })
      return reply.code(201).send(newInviteView(invite, resolveHubOrigin(services, request)))
    },
  })

  app.route({
    method: 'GET',
    url: '/invite-links',
    config: { access: 'user' },
    schema: { response: { 200: Invites } },
    handler: async (request) => {
      const invites = await listInviteLinks(services, signedInUser(request).id)
      return { invite_links: invites.map(inviteLinkView) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/invite-links/:id',
    config: { access: 'user' },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      await revokeInviteLink(services, { id: request.params.id, ownerId: signedInUser(request).id })
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'POST',
    url: '/invite-links/accept',
    // An invite link is a one-time secret like the code of a claim: both have one limit for guesses.
    config: { access: 'user', surface: 'hub_claim' },
    schema: { body: AcceptBody, response: { 200: AcceptedInvite } },
    handler: async (request) => {
      const { serverId, serverName } = await acceptInvite(services, {
        code: request.body.code,
        user: signedInUser(request),
      })
      return { server_id: serverId, server_name: serverName }
    },
  })

  app.route({
    method: 'GET',
    url: '/shares',
    config: { access: 'user' },
    schema: { response: { 200: Shares } },
    handler: async (request) => ({
      shares: (await listServerShares(services, signedInUser(request).id)).map(shareView),
    }),
  })

  app.route({
    method: 'DELETE',
    url: '/shares/:id',
    config: { access: 'user' },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      await endShare(services, { id: request.params.id, user: signedInUser(request) })
      return reply.code(204).send()
    },
  })
}
