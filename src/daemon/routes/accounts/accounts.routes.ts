import type { FastifyRequest } from 'fastify'
import {
  describeInvite,
  logIn,
  readLocalSignIn,
  recordLogin,
  registerAccount,
  revokeRefreshSession,
  rotateRefreshToken,
  readApproval,
  type RegistrationMode,
} from '../../../core/accounts/index.ts'
import { readSetting } from '../../../core/platform/settings/index.ts'
import { accountView, inviteSummaryView, sessionProfileView } from '../../../core/views/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { MessageReply } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import {
  InviteBody,
  InviteSummary,
  LoginBody,
  LogoutBody,
  OwnAccount,
  PendingRegistration,
  RefreshBody,
  RegisterBody,
  SignInReply,
} from './accounts.schemas.ts'
import { endSessionOfBearer, signedInReply, signIn } from './sign-in.ts'

/** Accounts and tokens. */
export const accountRoutes: RoutePlugin = (app, context) => {
  const { services, tokens } = context

  /** Without local sign-in an account with a password would have no use. The first one is always allowed. */
  async function readMode({ clientLocality }: FastifyRequest): Promise<RegistrationMode> {
    const local = await readLocalSignIn(services, clientLocality)
    return local === 'all' ? readSetting(services, 'accounts.registration') : 'closed'
  }

  app.route({
    method: 'POST',
    url: '/register',
    config: { access: 'public', reveals: 'none', surface: 'register', invalidStatus: 422, carriesSecrets: true },
    schema: { body: RegisterBody, response: { 201: SignInReply, 202: PendingRegistration } },
    handler: async (request, reply) => {
      const approval = await readApproval(services)
      const { setup_code: setupCode, invite_code: inviteCode, ...fields } = request.body
      const mode = await readMode(request)
      const attempt = { mode, locality: request.clientLocality, setupCode, inviteCode }
      const account = await registerAccount(services, { ...fields, attempt, approval })
      if (account.status === 'pending') {
        return reply.code(202).send({ status: 'pending', message: 'An administrator must approve this account' })
      }
      return reply.code(201).send(await signIn(context, await recordLogin(services, account), request))
    },
  })

  app.route({
    method: 'POST',
    url: '/invite',
    config: { access: 'public', reveals: 'none', surface: 'invite' },
    // The code is in the body, because addresses are written into logs.
    schema: { body: InviteBody, response: { 200: InviteSummary } },
    handler: async (request) => {
      const asked = { code: request.body.invite_code, mode: await readMode(request) }
      return inviteSummaryView(await describeInvite(services, asked))
    },
  })

  app.route({
    method: 'POST',
    url: '/login',
    config: { access: 'public', reveals: 'none', surface: 'login', carriesSecrets: true },
    schema: { body: LoginBody, response: { 200: SignInReply } },
    handler: async (request, reply) => {
      const { username, email, password, ...device } = request.body
      const usernameOrEmail = username ?? email
      if (usernameOrEmail === undefined) {
        throw httpErrors.invalid_request({ message: 'username is required', details: { field: 'username' } })
      }
      const { clientAddress } = request
      const local = await readLocalSignIn(services, request.clientLocality)
      const login = { usernameOrEmail, password, clientAddress, local, signal: connectionClosedSignal(reply) }
      return signIn(context, await logIn(services, login), request, device)
    },
  })

  app.route({
    method: 'POST',
    url: '/refresh',
    config: { access: 'public', reveals: 'none', surface: 'refresh', carriesSecrets: true },
    schema: { body: RefreshBody, response: { 200: SignInReply } },
    handler: async (request) => {
      const { jti } = tokens.verifyRefresh(request.body.refresh_token)
      const { account, token } = await rotateRefreshToken(services, { jti, clientAddress: request.clientAddress })
      return signedInReply(context, account, token)
    },
  })

  app.route({
    method: 'GET',
    url: '/me',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: OwnAccount } },
    handler: async (request) => {
      const account = signedInAccount(request)
      return { user: accountView(account), profile: sessionProfileView(account.profile) }
    },
  })

  app.route({
    method: 'POST',
    url: '/logout',
    config: { access: 'public', reveals: 'none' },
    schema: { body: LogoutBody, response: { 200: MessageReply } },
    handler: async ({ body: { refresh_token: refreshToken }, raw }) => {
      if (refreshToken !== undefined) await revokeRefreshSession(services, tokens.verifyRefresh(refreshToken))
      else await endSessionOfBearer(context, raw.headersDistinct)
      return { message: 'Logged out' }
    },
  })
}
