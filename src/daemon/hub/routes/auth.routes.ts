import { logInToHub, registerWithInvite } from '../../../core/hub/index.ts'
import { MessageReply } from '../../http/schemas.ts'
import { readBearerToken } from '../../hooks/authentication.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { LoginBody, LogoutBody, OwnHubAccount, RefreshBody, RegisterBody, HubSignInReply } from './auth.schemas.ts'
import { pageSignedInView, personView } from './auth.view.ts'

/** Sign-in at the hub, whose accounts are not those of any home server. */
export const authRoutes: HubRoutePlugin = (app, { services }) => {
  const { sessions } = services

  const replyWith = (
    user: Parameters<typeof personView>[0],
    { accessToken, refreshToken }: { accessToken: string; refreshToken: string },
  ) => ({ ...pageSignedInView(user, accessToken), refresh_token: refreshToken })

  app.route({
    method: 'POST',
    url: '/login',
    config: { access: 'public', surface: 'login' },
    schema: { body: LoginBody, response: { 200: HubSignInReply } },
    handler: async ({ clientAddress, body: { username, email, password } }, reply) => {
      const usernameOrEmail = username ?? email ?? ''
      const user = await logInToHub(services, {
        usernameOrEmail,
        password,
        clientAddress,
        signal: connectionClosedSignal(reply),
      })
      return replyWith(user, await sessions.start(user.id))
    },
  })

  app.route({
    method: 'POST',
    url: '/register',
    config: { access: 'public', surface: 'register', invalidStatus: 422 },
    schema: { body: RegisterBody, response: { 201: HubSignInReply } },
    handler: async ({ body: { invite_code: code, ...fields } }, reply) => {
      const user = await registerWithInvite(services, { ...fields, code })
      return reply.code(201).send(replyWith(user, await sessions.start(user.id)))
    },
  })

  app.route({
    method: 'POST',
    url: '/refresh',
    config: { access: 'public', surface: 'refresh' },
    schema: { body: RefreshBody, response: { 200: HubSignInReply } },
    handler: async ({ body: { refresh_token: token } }) => {
      const { user, ...pair } = await sessions.refresh(token)
      return replyWith(user, pair)
    },
  })

  app.route({
    method: 'POST',
    url: '/logout',
    config: { access: 'public' },
    schema: { body: LogoutBody, response: { 200: MessageReply } },
    handler: async ({ body: { refresh_token: refreshToken }, raw }) => {
      // Clients whose access token has expired still end their session.
      if (refreshToken !== undefined) await sessions.endByRefreshToken(refreshToken)
      else await sessions.end((await sessions.identify(readBearerToken(raw.headersDistinct) ?? '')).sessionId)
      return { message: 'Signed out' }
    },
  })

  app.route({
    method: 'GET',
    url: '/me',
    config: { access: 'user' },
    schema: { response: { 200: OwnHubAccount } },
    handler: async (request) => personView(signedInUser(request)),
  })
}
