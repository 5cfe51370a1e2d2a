import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { OidcProvider } from './oidc-provider.ts'
import { insertSignInRequest, type OidcClient } from './queries.ts'
import { secretDigest, randomSecret } from './secrets.ts'

/** How long a person may take at the provider. */
export const REQUEST_SECONDS = 600

/** What a browser needs for a sign-in at the provider. */
export type StartedSignIn = {
  /** At the provider. */
  address: string
  state: string
  /** Proves that the answer comes to the browser that started. Kept in its cookie for `REQUEST_SECONDS`. */
  browserSecret: string
}

/**
 * Starts a sign-in at the provider: code flow with PKCE (S256), `state` and `nonce`.
 * @param input.challenge S256 of a secret of the client (RFC 7636), without which the one-time code has no use
 * @param input.asksAgain whether the person has to sign in at the provider although a session there may exist. Only for providers that
 * declare support for it: some refuse requests with a parameter that they do not know.
 * @throws AppError `oidc_unavailable`
 */
export async function startOidcSignIn(
  { db, clock, oidc }: { db: Database; clock: Clock; oidc: OidcProvider },
  { client, challenge, asksAgain = false }: { client: OidcClient; challenge: string; asksAgain?: boolean },
): Promise<StartedSignIn> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const configuration = await oidc.configuration()
  const [state, nonce, codeVerifier, browserSecret] = [
    randomSecret(),
    randomSecret(),
    randomSecret(),
    randomSecret(),
  ] as const
  const now = clock.now()
  await insertSignInRequest(db, {
    stateDigest: secretDigest(state),
    browserDigest: secretDigest(browserSecret),
    issuer: configuration.serverMetadata().issuer,
    client,
    challenge,
    nonce,
    codeVerifier,
    expiresAt: new Date(now.getTime() + REQUEST_SECONDS * 1000),
    now,
  })
  const { prompt_values_supported: prompts } = configuration.serverMetadata()
  const canAskAgain = Array.isArray(prompts) && prompts.includes('login')
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: oidc.options.redirectUri,
    scope: oidc.options.scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(asksAgain && canAskAgain ? { prompt: 'login' } : {}),
  })
  return { address: address.href, state, browserSecret }
}
