import { EVERYTHING } from '../../../core/access/index.ts'
import { createInvite, inviteAddress, listInvites, revokeInvite } from '../../../core/accounts/index.ts'
import { inviteView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { readAccessChanges } from '../admin-users/read-limits.ts'
import { InviteList, NewInvite, NewInviteBody } from './invites.schemas.ts'

/** `/api/v1/admin/invites`: links with which people register. */
export const inviteRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: InviteList } },
    handler: async () => ({ invites: (await listInvites(services)).map(inviteView) }),
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin', reveals: 'none', invalidStatus: 422, carriesSecrets: true },
    schema: { body: NewInviteBody, response: { 201: NewInvite } },
    handler: async (request, reply) => {
      const { expires_at: expires, max_uses: maxUses, ...limits } = request.body
      const access = { ...EVERYTHING, ...(await readAccessChanges(services, limits)) }
      const { invite, code } = await createInvite(services, {
        expiresAt: new Date(expires),
        access,
        ...(maxUses !== undefined && { maxUses }),
      })
      // The administrator has reached the page at this host.
      const page = services.config.options['server.public_url']?.replace(/\/$/, '') ?? `http://${request.host}`
      return reply.code(201).send({ id: invite.id, url: inviteAddress(page, code), invite: inviteView(invite) })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params }) => {
      await revokeInvite(services, { id: params.id })
      return { message: 'The invite is revoked' }
    },
  })
}
