import { endSession, revokeRefreshSession, rotateRefreshToken, type Session } from '../../../core/accounts/index.ts'
import { signOutOfOidc } from '../../../core/oidc/index.ts'
import { httpErrors } from '../../errors.ts'
import { authenticateBearer, readBearerToken } from '../../hooks/authentication.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { addWebSessionRoutes, type WebSession } from '../../http/web-session.ts'
import { PageSignedIn } from './accounts.schemas.ts'
import { pageSignedInReply } from './sign-in.ts'

/** The session of the web page, whose refresh token is in a cookie. */
export const webSessionRoutes: RoutePlugin = (app, context) => {
  const { services, tokens } = context
  const { options } = services.config

  function sessionOf(session: Session, end: () => Promise<void>): WebSession {
    return {
      id: session.sessionId,
      end,
      async signOut() {
        const { oidc } = services
        if (oidc !== undefined) return signOutOfOidc({ ...services, oidc }, session)
        await end()
        return null
      },
    }
  }

  addWebSessionRoutes(app, {
    clock: services.clock,
    options: { publicUrl: options['server.public_url'], trustedProxies: options['server.trusted_proxies'] },
    replySchema: PageSignedIn,
    sessions: {
      async ofRefreshToken(refreshToken) {
        const claims = tokens.verifyRefresh(refreshToken)
        if (claims.sid === undefined) throw httpErrors.auth_required()
        const session = { accountId: claims.sub, sessionId: claims.sid }
        return sessionOf(session, () => revokeRefreshSession(services, claims))
      },
      async ofBearer(headers) {
        const token = readBearerToken(headers)
        if (token === undefined) return undefined
        const { account, sessionId } = await authenticateBearer(context, token)
        const session = { accountId: account.id, sessionId }
        return sessionOf(session, () => endSession(services, session))
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
