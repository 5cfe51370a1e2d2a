import { endSession, type Session } from '../accounts/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { OidcProvider } from './oidc-provider.ts'
import { selectProviderSession } from './queries.ts'

/**
 * Ends a session.
 * @returns the address at which the browser ends the session at the provider too (OpenID Connect RP-Initiated Logout 1.0); null if the
 * session did not begin there, or the provider offers none
 */
export async function signOutOfOidc(
  needs: { db: Database; clock: Clock; events: EventBus; oidc: OidcProvider },
  session: Session,
): Promise<string | null> {
  const { db, oidc } = needs
  const begun = await selectProviderSession(db, session.sessionId)
  await endSession(needs, session)
  if (begun === undefined) return null
  try {
    const configuration = await oidc.configuration()
    const { issuer, end_session_endpoint: endpoint } = configuration.serverMetadata()
    if (endpoint === undefined || issuer !== begun.issuer) return null
    const { buildEndSessionUrl } = await import('openid-client')
    const { href } = buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${oidc.options.publicUrl}/`,
      ...(begun.idToken === null ? {} : { id_token_hint: begun.idToken }),
    })
    return href
  } catch (error) {
    // The session has ended here; without the provider it cannot be ended there.
    if (error instanceof AppError) return null
    throw error
  }
}
