import { openShare } from '../../../core/shares/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { guestCookie, isSecurePage, readGuestCookie } from '../../http/guest-cookie.ts'
import { createPageFile } from '../../http/web-pages.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { openedView } from './guest.view.ts'
import { OpenBody, Opened } from './shares.schemas.ts'

/** The page of share links. The token of a link is in the fragment of its address, which browsers do not send. */
export const sharePageRoutes: RoutePlugin = (app, { services }) => {
  const page = createPageFile('share')

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'public', reveals: 'none' },
    handler: (request, reply) => page.send(request, reply),
  })

  app.route({
    method: 'POST',
    url: '/open',
    config: { access: 'public', reveals: 'none' },
    schema: { body: OpenBody, response: { 200: Opened } },
    handler: async (request, reply) => {
      const { body, clientAddress, headers } = request
      const { guests } = services
      const { id, expiresAt } = await openShare(services, {
        token: body.token,
        password: body.password ?? null,
        clientAddress,
        signal: connectionClosedSignal(reply),
        hasCookie: (shareId) => guests.hasCookie(shareId, readGuestCookie(headers.cookie, shareId)),
      })
      const isSecure = isSecurePage(headers)
      const cookie = guests.issueCookie(id, readGuestCookie(headers.cookie, id))
      reply.header('set-cookie', guestCookie({ id, cookie, expiresAt, isSecure }))
      return openedView({ id, expiresAt })
    },
  })
}
