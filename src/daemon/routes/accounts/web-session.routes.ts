import { endSession, revokeRefreshSession, rotateRefreshToken } from '../../../core/accounts/index.ts'
import { httpErrors } from '../../errors.ts'
import { authenticateBearer, readBearerToken } from '../../hooks/authentication.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { addWebSessionRoutes } from '../../http/web-session.ts'
import { PageSignedIn } from './accounts.schemas.ts'
import { pageSignedInReply } from './sign-in.ts'

/** The session of the web page, whose refresh token is in a cookie. */
export const webSessionRoutes: RoutePlugin = (app, context) => {
  const { services, tokens } = context
  const { options } = services.config

  addWebSessionRoutes(app, {
    clock: services.clock,
    options: { publicUrl: options['server.public_url'], trustedProxies: options['server.trusted_proxies'] },
    replySchema: PageSignedIn,
    sessions: {
      async ofRefreshToken(refreshToken) {
        const claims = tokens.verifyRefresh(refreshToken)
        if (claims.sid === undefined) throw httpErrors.auth_required()
        return { id: claims.sid, end: () => revokeRefreshSession(services, claims) }
      },
      async ofBearer(headers) {
        const token = readBearerToken(headers)
        if (token === undefined) return undefined
        const { account, sessionId: id } = await authenticateBearer(context, token)
        return { id, end: () => endSession(services, { accountId: account.id, sessionId: id }) }
      },
      async renew(refreshToken, from) {
        const { jti } = tokens.verifyRefresh(refreshToken)
        const { account, token } = await rotateRefreshToken(services, { jti, ...from })
        const { familyId: sessionId, expiresAt } = token
        const reply = await pageSignedInReply(context, account, { ...token, sessionId })
        return { sessionId, refreshToken: tokens.issueForCookie(token), expiresAt, reply }
      },
    },
  })
}
