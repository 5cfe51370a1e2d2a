import type { FastifyReply } from 'fastify'
import { hasAccounts, isLocalSignInPossible } from '../../../core/accounts/index.ts'
import {
  endSessionsOfLogoutToken,
  finishOidcSignIn,
  oidcErrors,
  redeemCodeForLink,
  redeemCodeForSession,
  signOutOfOidc,
  startOidcSignIn,
  type OidcProvider,
} from '../../../core/oidc/index.ts'
import { AppError } from '../../../core/platform/errors/index.ts'
import { accountView } from '../../../core/views/index.ts'
import type { App, RouteContext, RoutePlugin } from '../../http/app-types.ts'
import { parseQueryString } from '../../http/query-string.ts'
import { SignedOutReply } from '../../http/schemas.ts'
import { signedInSession } from '../../http/signed-in-account.ts'
import { OneAccount, SignInReply } from '../accounts/accounts.schemas.ts'
import { signedInReply, startSession } from '../accounts/sign-in.ts'
import { signInCookie, expiredSignInCookie, parseSignInCookie } from './sign-in-cookie.ts'
import { CodeBody, LinkBody, LogoutTokenBody, SignInOptions, StartQuery } from './oidc.schemas.ts'
import { returnAddress } from './return-address.ts'

/** More than the longest answer of a provider. */
const MAXIMUM_FORM_BYTES = 64 * 1024

/** The ways in which people sign in, for sign-in pages. */
export const signInOptionRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/options',
    config: { access: 'public', reveals: 'none' },
    schema: { response: { 200: SignInOptions } },
    handler: async ({ clientLocality }) => {
      const { oidc, signInProviders } = services
      const isLocal = await isLocalSignInPossible(services, clientLocality)
      const option = oidc === undefined ? null : { name: oidc.options.name, start_path: '/api/v1/auth/oidc/start' }
      return {
        password: isLocal || signInProviders.list().length > 0,
        oidc: option,
        needs_first_account: !(await hasAccounts(services.db)),
      }
    },
  })
}

/** Sign-in at an OpenID provider. */
export const oidcRoutes: RoutePlugin = (app, context) => {
  const { services } = context
  readForms(app)

  app.route({
    method: 'GET',
    url: '/start',
    config: { access: 'public', reveals: 'none', surface: 'oidc' },
    schema: { querystring: StartQuery },
    handler: async ({ query }, reply) => {
      const oidc = requireProvider(context)
      const { publicUrl } = oidc.options
      try {
        const { address, state, browserSecret } = await startOidcSignIn(
          { ...services, oidc },
          { ...query, asksAgain: query.prompt === 'login' },
        )
        reply.header('set-cookie', signInCookie({ state, isSecure: isSecure(oidc), value: browserSecret }))
        return await redirect(reply, address)
      } catch (error) {
        // The browser navigates: it would show the error as JSON.
        if (!(error instanceof AppError)) throw error
        return redirect(reply, returnAddress(query.client, publicUrl, { problem: error.code }))
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/callback',
    config: { access: 'public', reveals: 'none', surface: 'oidc' },
    handler: async ({ raw, headers }, reply) => {
      const oidc = requireProvider(context)
      // The parameters are the provider's, and the library reads them.
      const query = new URLSearchParams(raw.url?.split('?', 2)[1])
      const cookie = { state: query.get('state') ?? '', isSecure: isSecure(oidc) }
      const browserSecret = parseSignInCookie(headers.cookie, cookie)
      const finished = await finishOidcSignIn({ ...services, oidc }, { query, browserSecret })
      const outcome = 'code' in finished ? finished : { problem: finished.problem.code }
      if ('code' in finished) reply.header('set-cookie', expiredSignInCookie(cookie))
      return redirect(reply, returnAddress(finished.client, oidc.options.publicUrl, outcome))
    },
  })

  app.route({
    method: 'POST',
    url: '/token',
    config: { access: 'public', reveals: 'none', surface: 'oidc', carriesSecrets: true },
    schema: { body: CodeBody, response: { 200: SignInReply } },
    handler: async (request) => {
      const needs = { ...services, oidc: requireProvider(context) }
      const start = redeemCodeForSession(needs, request.body, (account) => startSession(context, account, request))
      const { account, started } = await start
      return signedInReply(context, account, started)
    },
  })

  app.route({
    method: 'POST',
    url: '/link',
    config: { access: 'user', reveals: 'none', surface: 'oidc' },
    schema: { body: LinkBody, response: { 200: OneAccount } },
    handler: async (request) => {
      const { account, sessionId } = signedInSession(request)
      const session = { accountId: account.id, sessionId }
      const needs = { ...services, oidc: requireProvider(context) }
      return { user: accountView(await redeemCodeForLink(needs, { ...request.body, session })) }
    },
  })

  app.route({
    method: 'POST',
    url: '/logout',
    config: { access: 'user', reveals: 'none', carriesSecrets: true },
    schema: { response: { 200: SignedOutReply } },
    handler: async (request) => {
      const { account, sessionId } = signedInSession(request)
      const session = { accountId: account.id, sessionId }
      const address = await signOutOfOidc({ ...services, oidc: requireProvider(context) }, session)
      return { message: 'Logged out', address }
    },
  })

  app.route({
    method: 'POST',
    url: '/backchannel-logout',
    config: { access: 'public', reveals: 'none', surface: 'oidc_logout' },
    schema: { body: LogoutTokenBody },
    handler: async ({ body }, reply) => {
      await endSessionsOfLogoutToken({ ...services, oidc: requireProvider(context) }, body.logout_token)
      return reply.code(200).header('cache-control', 'no-store').send()
    },
  })
}

function requireProvider({ services }: RouteContext): OidcProvider {
  if (services.oidc === undefined) throw oidcErrors.oidc_not_configured()
  return services.oidc
}

const isSecure = ({ options }: OidcProvider): boolean => options.publicUrl.startsWith('https:')

/** Answers with a redirect that no cache keeps. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303)
}

/** Providers send forms (OpenID Connect Back-Channel Logout 1.0, 2.5). */
function readForms(app: App): void {
  const options = { parseAs: 'string', bodyLimit: MAXIMUM_FORM_BYTES } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', options, async (_request: unknown, body: string) =>
    parseQueryString(body),
  )
}
