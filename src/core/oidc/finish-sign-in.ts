import type { Configuration } from 'openid-client'
import type { Database } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { outboundErrors } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { oidcErrors } from './errors.ts'
import { deepestErrorMessage, type OidcProvider } from './oidc-provider.ts'
import { parsePersonClaims } from './parse-person-claims.ts'
import {
  insertOneTimeCode,
  deleteRequestReturning,
  type OidcClient,
  type OidcPerson,
  type OidcRequest,
} from './queries.ts'
import { secretDigest, randomSecret, SECRET_PATTERN } from './secrets.ts'

/** The page exchanges the code at once. */
const CODE_SECONDS = 60

type Dependencies = { db: Database; clock: Clock; log: Logger; oidc: OidcProvider }

/** Where the browser goes, with a one-time code, or the reason why there is none. */
export type FinishedSignIn = { client: OidcClient } & ({ code: string } | { problem: AppError })

/**
 * Checks the answer of the provider: `state`, once, within ten minutes and from the browser that started; `iss` (RFC 9207); PKCE; the ID token
 * with its signature, `iss`, `aud`, `nonce`, `exp` and `iat`. The person then is behind a one-time code, which only the client that started
 * can use. Nothing is changed in accounts.
 * @param input.query of the request
 * @param input.browserSecret of the cookie
 */
export async function finishOidcSignIn(
  needs: Dependencies,
  { query: parameters, browserSecret }: { query: URLSearchParams; browserSecret: string | undefined },
): Promise<FinishedSignIn> {
  const state = parameters.get('state') ?? ''
  const request = await takeValidRequest(needs, { state, browserSecret })
  // Without a request of this browser it is not known which client has started.
  if (request === undefined) return { client: 'web', problem: oidcErrors.oidc_request_expired() }
  const { client } = request
  try {
    const person = await askPerson(needs, { request, state, parameters })
    return { client, code: await makeCode(needs, person, request) }
  } catch (error) {
    const problem = problemOf(error)
    needs.log.warning({ domain: 'oidc', reason: deepestErrorMessage(error) }, 'a sign-in at the OpenID provider failed')
    return { client, problem }
  }
}

async function takeValidRequest(
  { db, clock }: Dependencies,
  { state, browserSecret = '' }: { state: string; browserSecret: string | undefined },
): Promise<OidcRequest | undefined> {
  if (!SECRET_PATTERN.test(state) || !SECRET_PATTERN.test(browserSecret)) return undefined
  const digests = { stateDigest: secretDigest(state), browserDigest: secretDigest(browserSecret) }
  const request = await deleteRequestReturning(db, digests)
  return request !== undefined && request.expiresAt > clock.now() ? request : undefined
}

async function askPerson(
  { oidc }: Dependencies,
  { request, state, parameters }: { request: OidcRequest; state: string; parameters: URLSearchParams },
): Promise<OidcPerson> {
  const { authorizationCodeGrant } = await import('openid-client')
  const configuration = await oidc.configuration()
  const { issuer } = configuration.serverMetadata()
  // The configuration may have changed since the start.
  if (issuer !== request.issuer) throw oidcErrors.oidc_request_expired()
  const address = new URL(oidc.options.redirectUri)
  address.search = parameters.toString()
  const tokens = await authorizationCodeGrant(configuration, address, {
    expectedState: state,
    expectedNonce: request.nonce,
    pkceCodeVerifier: request.codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw oidcErrors.oidc_invalid_reply()
  const more = await readMoreClaims(configuration, { accessToken: tokens.access_token, subject: claims.sub })
  // What is signed counts before what is not.
  return parsePersonClaims({ ...more, ...claims }, { options: oidc.options, issuer, idToken: tokens.id_token })
}

/** Many providers name groups and addresses only here. */
async function readMoreClaims(
  configuration: Configuration,
  { accessToken, subject }: { accessToken: string; subject: string },
): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(configuration, accessToken, subject)
}

async function makeCode({ db, clock }: Dependencies, person: OidcPerson, { challenge }: OidcRequest): Promise<string> {
  const code = randomSecret()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + CODE_SECONDS * 1000)
  await insertOneTimeCode(db, { ...person, codeDigest: secretDigest(code), challenge, expiresAt, now })
  return code
}

const OUTBOUND_CODES: ReadonlySet<string> = new Set(
  Object.values(outboundErrors).map(({ definition }) => definition.code),
)

/** The error of the product for one of the library. Texts of the provider are only logged. */
function problemOf(error: unknown): AppError {
  if (error instanceof AppError && !OUTBOUND_CODES.has(error.code)) return error
  const cause = error instanceof Error ? error.cause : undefined
  if (isOutboundError(error) || isOutboundError(cause)) return oidcErrors.oidc_unavailable({ cause: error })
  const isRefused = error instanceof Error && error.name === 'AuthorizationResponseError'
  return isRefused ? oidcErrors.oidc_refused({ cause: error }) : oidcErrors.oidc_invalid_reply({ cause: error })
}

function isOutboundError(error: unknown): boolean {
  return error instanceof AppError && OUTBOUND_CODES.has(error.code)
}
