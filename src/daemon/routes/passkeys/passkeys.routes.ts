import { readLocalSignIn, requireLocalSignIn } from '../../../core/accounts/index.ts'
import {
  finishPasskeyLogin,
  finishPasskeyRegistration,
  listPasskeys,
  relyingPartyFor,
  removeOwnPasskey,
  startPasskeyLogin,
  startPasskeyRegistration,
  type CeremonyBody as Ceremony,
} from '../../../core/passkeys/index.ts'
import type { App, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { requireFullSessionOfRequest, signedInAccount, signedInSession } from '../../http/signed-in-account.ts'
import { sendErrorAs } from '../../hooks/errors.ts'
import { SignInReply } from '../accounts/accounts.schemas.ts'
import { signIn } from '../accounts/sign-in.ts'
import { CeremonyBody, LoginOptions, PasskeyList, Registered, RegistrationOptions } from './passkeys.schemas.ts'
import {
  loginOptionsView,
  passkeyErrorView,
  passkeyListView,
  registeredView,
  registrationOptionsView,
} from './passkeys.view.ts'

/** Registration of passkeys, and login with them. */
export const passkeyCeremonyRoutes: RoutePlugin = (app, context) => {
  const { services } = context
  useErrorOnlyBodies(app)

  app.route({
    method: 'POST',
    url: '/register/options',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: RegistrationOptions } },
    handler: async (request) => {
      const account = signedInAccount(request)
      const relyingParty = relyingPartyFor(services, request.headers.host)
      return registrationOptionsView({ account, relyingParty }, await startPasskeyRegistration(services, { account }))
    },
  })

  app.route({
    method: 'POST',
    url: '/register/verify',
    config: { access: 'user', reveals: 'none' },
    schema: { body: CeremonyBody, response: { 200: Registered } },
    handler: async (request) => {
      const signedIn = signedInSession(request)
      const relyingParty = relyingPartyFor(services, request.headers.host)
      const registration = { ...signedIn, relyingParty, body: fieldsOf(request.body) }
      return registeredView(await finishPasskeyRegistration(services, registration))
    },
  })

  app.route({
    method: 'POST',
    url: '/login/options',
    config: { access: 'public', reveals: 'none', surface: 'webauthn_start' },
    schema: { body: CeremonyBody, response: { 200: LoginOptions } },
    handler: async ({ headers, body }) => {
      const relyingParty = relyingPartyFor(services, headers.host)
      return loginOptionsView(relyingParty, await startPasskeyLogin(services, fieldsOf(body)))
    },
  })

  app.route({
    method: 'POST',
    url: '/login/verify',
    config: { access: 'public', reveals: 'none', surface: 'webauthn_finish', carriesSecrets: true },
    schema: { body: CeremonyBody, response: { 200: SignInReply } },
    handler: async (request) => {
      const local = await readLocalSignIn(services, request.clientLocality)
      const relyingParty = relyingPartyFor(services, request.headers.host)
      const account = await finishPasskeyLogin(services, { relyingParty, body: fieldsOf(request.body) })
      await requireLocalSignIn(services, { local, accountId: account.id })
      return signIn(context, account, request)
    },
  })
}

/** The passkeys of the signed-in user. */
export const ownPasskeyRoutes: RoutePlugin = (app, { services }) => {
  useErrorOnlyBodies(app)

  app.route({
    method: 'GET',
    url: '/credentials',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: PasskeyList } },
    handler: async (request) => {
      return passkeyListView(await listPasskeys(services, { accountId: signedInAccount(request).id }))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/credentials/:id',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      await removeOwnPasskey(services, { accountId: account.id, credentialId: request.params.id })
      return { message: 'Passkey removed' }
    },
  })
}

function useErrorOnlyBodies(app: App): void {
  app.setErrorHandler((error, request, reply) => sendErrorAs(passkeyErrorView, error, { request, reply }))
}

/** The fields of a body; none if the body is not an object. */
function fieldsOf(body: unknown): Ceremony {
  return typeof body === 'object' && body !== null ? body : {}
}
