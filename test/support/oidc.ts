import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { Provider } from 'oidc-provider'
import type { Test } from 'tap'

export const CLIENT_ID = 'phlix'
export const CLIENT_SECRET = 'a client secret of the tests'

export type OidcPersonClaims = { sub: string; preferred_username?: string; email?: string; groups?: unknown } & Record<
  string,
  unknown
>

/** Claims and header of an ID token, to be changed before it is signed. */
export type IdTokenChange = {
  claims?: Record<string, unknown>
  header?: { kid?: string; typ?: string }
  key?: CryptoKey
}

/** The settings of the provider that tests change while it runs. */
export type OidcState = {
  /** Whom the provider signs in without asking; undefined: it shows its page. */
  person: OidcPersonClaims | undefined
  /** Replaces parts of the next ID tokens, which are signed again with the provider's key. */
  changeIdToken: ((claims: JWTPayload) => IdTokenChange) | undefined
  /** Answers `access_denied` instead of a sign-in. */
  isDenied: boolean
  /** While true each request is answered with 503. */
  isDown: boolean
}

export type TestOidcProvider = {
  issuer: string
  state: OidcState
  /** Replaces the signing key; the old one is not published any more. */
  rotateKeys(): Promise<void>
  /** Signs any claims with the key of the provider. */
  sign(claims: JWTPayload, change?: Omit<IdTokenChange, 'claims'>): Promise<string>
  /** The paths of all requests, in order. */
  requests: string[]
}

type ProviderInput = {
  /** Origin of the server under test for browsers, as configured at the provider. */
  publicUrl: string
  /** The address at which the provider reaches it. */
  baseUrl: () => string
  port?: number
  isPublicClient?: boolean
}

/** The real provider of the package `oidc-provider`, on a free port of the loopback interface. */
export async function startOidcProvider(t: Test, input: ProviderInput): Promise<TestOidcProvider> {
  const state: OidcState = { person: undefined, changeIdToken: undefined, isDenied: false, isDown: false }
  const requests: string[] = []
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  let key: SigningKey
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://provider').pathname)
    if (state.isDown) return void response.writeHead(503).end()
    return handle(request, response)
  })
  server.listen(input.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sign = (claims: JWTPayload, { header, key: other }: Omit<IdTokenChange, 'claims'> = {}): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header }).sign(other ?? key.privateKey)

  async function install(): Promise<void> {
    key = await makeKey()
    const provider = new Provider(issuer, configurationOf(input, { key, state }))
    provider.use(async (context, next) => {
      await next()
      const body = context.body as { id_token?: string } | undefined
      if (context.path !== '/token' || state.changeIdToken === undefined || body?.id_token === undefined) return
      const claims = decodeJwt(body.id_token)
      const { claims: changed, ...rest } = state.changeIdToken(claims)
      context.body = { ...body, id_token: await sign({ ...claims, ...changed }, rest) }
    })
    const callback = provider.callback()
    handle = (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) return callback(request, response)
      return interact(provider, state, { request, response })
    }
  }
  await install()
  return { issuer, state, requests, sign, rotateKeys: install }
}

type SigningKey = { kid: string; privateKey: CryptoKey; jwk: Record<string, unknown> }

async function makeKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = crypto.randomUUID()
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' } }
}

function configurationOf(
  { publicUrl, baseUrl, isPublicClient = false }: ProviderInput,
  { key, state }: { key: SigningKey; state: OidcState },
): Record<string, unknown> {
  const client = {
    client_id: CLIENT_ID,
    ...(isPublicClient ? { token_endpoint_auth_method: 'none' } : { client_secret: CLIENT_SECRET }),
    redirect_uris: [`${publicUrl}/api/v1/auth/oidc/callback`],
    post_logout_redirect_uris: [`${publicUrl}/`],
    backchannel_logout_uri: `${publicUrl}/api/v1/auth/oidc/backchannel-logout`,
    backchannel_logout_session_required: true,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: 'ES256',
  }
  return {
    clients: [client],
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['keys of the cookies of the tests'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    discovery: { prompt_values_supported: ['none', 'login', 'consent'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    async findAccount(_context: unknown, id: string) {
      const claims = state.person ?? { preferred_username: id }
      return { accountId: id, claims: () => ({ ...claims, sub: id }) }
    },
    /** Everything is granted: the tests are about the sign-in. */
    async loadExistingGrant(context: { oidc: { provider: Provider; session: { accountId: string } } }) {
      const grant = new context.oidc.provider.Grant({ accountId: context.oidc.session.accountId, clientId: CLIENT_ID })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    /** The guard of the provider refuses addresses of the loopback interface, so its dispatcher is left out. */
    fetch(url: URL | string, { method = 'GET', headers = {}, body = null }: RequestInit) {
      return fetch(String(url).replace(publicUrl, baseUrl()), { method, headers, body, redirect: 'manual' })
    },
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse }

/** Signs the person of the tests in, or shows a page with a button for a browser. */
async function interact(provider: Provider, state: OidcState, { request, response }: Exchange): Promise<void> {
  await provider.interactionDetails(request, response)
  if (state.isDenied) return provider.interactionFinished(request, response, { error: 'access_denied' })
  const { person } = state
  if (person !== undefined) return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  if (request.method === 'POST') return provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
  const page = '<form method="post"><h1>Sign in at the provider</h1><button>I am Ada</button></form>'
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
}
