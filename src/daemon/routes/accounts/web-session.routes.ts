import { revokeRefreshSession, rotateRefreshToken } from '../../../core/accounts/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { addWebSessionRoutes } from '../../http/web-session.ts'
import { PageSignedIn } from './accounts.schemas.ts'
import { endSessionOfBearer, pageSignedInReply } from './sign-in.ts'

/** The session of the web page, whose refresh token is in a cookie. */
export const webSessionRoutes: RoutePlugin = (app, context) => {
  const { services, tokens } = context
  const { options } = services.config

  addWebSessionRoutes(app, {
    clock: services.clock,
    options: { publicUrl: options['server.public_url'], trustedProxies: options['server.trusted_proxies'] },
    replySchema: PageSignedIn,
    sessions: {
      async sessionIdOf(refreshToken) {
        const { sid } = tokens.verifyRefresh(refreshToken)
        if (sid === undefined) throw httpErrors.auth_required()
        return sid
      },
      async renew(refreshToken, from) {
        const { jti } = tokens.verifyRefresh(refreshToken)
        const { account, token } = await rotateRefreshToken(services, { jti, ...from })
        const { familyId: sessionId, expiresAt } = token
        const reply = await pageSignedInReply(context, account, { ...token, sessionId })
        return { sessionId, refreshToken: tokens.issueForCookie(token), expiresAt, reply }
      },
      async end(refreshToken) {
        await revokeRefreshSession(services, tokens.verifyRefresh(refreshToken))
      },
      endByBearer: (headers) => endSessionOfBearer(context, headers),
    },
  })
}
