import { readBearerToken } from '../../hooks/authentication.ts'
import { addWebSessionRoutes, type WebSession } from '../../http/web-session.ts'
import type { HubRoutePlugin } from '../hub-context.ts'
import { PageSignedIn } from './auth.schemas.ts'
import { pageSignedInView } from './auth.view.ts'

/** The session of the page of a hub, whose refresh token is in a cookie. */
export const webSessionRoutes: HubRoutePlugin = (app, { services }) => {
  const { sessions, clock } = services
  const { options } = services.config

  const sessionOf = (id: string): WebSession => ({
    id,
    end: () => sessions.end(id),
    async signOut() {
      await sessions.end(id)
      return null
    },
  })

  addWebSessionRoutes(app, {
    clock,
    options: { publicUrl: options['hub.public_url'], trustedProxies: options['server.trusted_proxies'] },
    replySchema: PageSignedIn,
    sessions: {
      ofRefreshToken: async (refreshToken) => sessionOf(await sessions.sessionIdOf(refreshToken)),
      async ofBearer(headers) {
        const token = readBearerToken(headers)
        return token === undefined ? undefined : sessionOf((await sessions.identify(token)).sessionId)
      },
      async renew(refreshToken, { presentedIn }) {
        const { user, accessToken, ...renewed } = await sessions.refresh(refreshToken, presentedIn)
        const reply = pageSignedInView(user, accessToken)
        return { sessionId: user.sessionId, refreshToken: renewed.refreshToken, expiresAt: renewed.expiresAt, reply }
      },
    },
  })
}
