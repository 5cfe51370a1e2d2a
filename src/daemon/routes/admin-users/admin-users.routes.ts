import {
  ACCOUNT_STATUSES,
  createAccount,
  deleteAccount,
  disableAccount,
  enableAccount,
  getAccount,
  listAccounts,
  readAccess,
  rejectAccount,
  resetPassword,
  setAccess,
  setAdministrator,
  updateAccount,
} from '../../../core/accounts/index.ts'
import { httpErrors } from '../../errors.ts'
import { accountLimitsView, accountView } from '../../../core/views/index.ts'
import { readStreamLimits } from '../../../core/playback-limits/index.ts'
import type { App, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { sendErrorAs } from '../../hooks/errors.ts'
import {
  AdministratorBody,
  AllLimitsBody,
  CreatedUser,
  NewPassword,
  NewUserBody,
  OneAccess,
  User,
  UserChangesBody,
  Users,
  UsersQuery,
} from './admin-users.schemas.ts'
import { userErrorView } from './admin-users.view.ts'
import { readAccessChanges } from './read-limits.ts'

type Services = Parameters<RoutePlugin>[1]['services']

/** `/api/v1/admin/users`: account administration. */
export const adminUserRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(userErrorView, error, { request, reply }))
  addRecordRoutes(app, services)
  addStatusRoutes(app, services)
  addAccessRoutes(app, services)
}

function addRecordRoutes(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'none' },
    schema: { querystring: UsersQuery, response: { 200: Users } },
    handler: async ({ query }) => {
      const accounts = await listAccounts(services, { status: statusOf(query.status) })
      return { users: accounts.map(accountView) }
    },
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: NewUserBody, response: { 201: CreatedUser } },
    handler: async ({ body: { is_admin: isAdmin = false, ...input } }, reply) => {
      const { id, username } = await createAccount(services, { ...input, isAdmin })
      return reply.code(201).send({ user_id: id, message: `${username} was created` })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: User } },
    handler: async ({ params }) => ({ user: accountView(await getAccount(services, { accountId: params.id })) }),
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, body: UserChangesBody, response: { 200: MessageReply } },
    handler: async ({ params, body }) => {
      const { username } = await updateAccount(services, { accountId: params.id, fields: body })
      return { message: `${username} was changed` }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { username } = await deleteAccount(services, targetOf(request))
      return { message: `${username} was deleted` }
    },
  })
}

function addStatusRoutes(app: App, services: Services): void {
  app.route({
    method: 'POST',
    url: '/:id/set-admin',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, body: AdministratorBody, response: { 200: MessageReply } },
    handler: async (request) => {
      const isAdmin = request.body.is_admin
      const { account } = await setAdministrator(services, { ...targetOf(request), isAdmin })
      return { message: `${account.username} is ${isAdmin ? 'an administrator' : 'a user'}` }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/reset-password',
    config: { access: 'admin', reveals: 'none', carriesSecrets: true },
    schema: { params: IdParameters, response: { 200: NewPassword } },
    handler: async ({ params }) => {
      const { account, generatedPassword = '' } = await resetPassword(services, { accountId: params.id })
      return { message: `${account.username} has a new password`, new_password: generatedPassword }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/approve',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { account } = await enableAccount(services, targetOf(request))
      return { message: `${account.username} may sign in` }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/disable',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { account } = await disableAccount(services, targetOf(request))
      return { message: `${account.username} is disabled` }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/reject',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { username } = await rejectAccount(services, targetOf(request))
      return { message: `${username} was rejected` }
    },
  })
}

/** What an account may see. */
function addAccessRoutes(app: App, services: Services): void {
  app.route({
    method: 'GET',
    url: '/:id/access',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: OneAccess } },
    handler: async ({ params }) => {
      const { account, access } = await readAccess(services, { accountId: params.id })
      const streams = await readStreamLimits(services, { accountId: account.id })
      return { access: accountLimitsView({ account, access, streams }) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id/access',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: AllLimitsBody, response: { 200: OneAccess } },
    handler: async ({ params, body }) => {
      const changes = await readAccessChanges(services, body)
      const { max_concurrent_streams: maxStreams, max_total_bandwidth_kbps: maxKbps, can_download: mayDownload } = body
      const streams = { ...(maxStreams !== undefined && { maxStreams }), ...(maxKbps !== undefined && { maxKbps }) }
      const limits = await setAccess(services, { accountId: params.id, changes, streams, mayDownload })
      return { access: accountLimitsView(limits) }
    },
  })
}

type Targeted = { params: { id: string } } & Parameters<typeof signedInAccount>[0]

function targetOf(request: Targeted): { accountId: string; actorId: string } {
  return { accountId: request.params.id, actorId: signedInAccount(request).id }
}

/** @throws AppError `invalid_request` */
function statusOf(text: string | undefined): (typeof ACCOUNT_STATUSES)[number] | undefined {
  if (text === undefined || text === '') return undefined
  const status = ACCOUNT_STATUSES.find((one) => one === text)
  if (status !== undefined) return status
  const message = `status must be one of ${ACCOUNT_STATUSES.join(', ')}`
  throw httpErrors.invalid_request({ message, details: { field: 'status' } })
}
