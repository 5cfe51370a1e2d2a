import { Type } from 'typebox'
import {
  changeHubUser,
  createHubUser,
  deleteHubUser,
  getHubUser,
  hubUserView,
  listHubUsers,
  resetHubPassword,
} from '../../../core/hub/index.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { signedInUser, type HubRoutePlugin } from '../hub-context.ts'

const User = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Type.String(),
  is_admin: Type.Boolean(),
  status: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

const CreateBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  is_admin: Type.Optional(Type.Boolean()),
})

const ChangeBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('disabled')])),
})

/** Accounts of the hub, for its administrators. */
export const adminUserRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin' },
    schema: { response: { 200: Type.Object({ users: Type.Array(User) }) } },
    handler: async () => ({ users: (await listHubUsers(services)).map(hubUserView) }),
  })

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'admin', invalidStatus: 422 },
    schema: { body: CreateBody, response: { 201: Type.Object({ user_id: Type.String(), message: Type.String() }) } },
    handler: async (request, reply) => {
      const { is_admin: isAdmin = false, ...input } = request.body
      const user = await createHubUser(services, { ...input, isAdmin, actor: signedInUser(request).username })
      return reply.code(201).send({ user_id: user.id, message: `Created ${user.username}` })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'admin' },
    schema: { params: IdParameters, response: { 200: Type.Object({ user: User }) } },
    handler: async ({ params }) => ({ user: hubUserView(await getHubUser(services, params.id)) }),
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'admin', invalidStatus: 422 },
    schema: { params: IdParameters, body: ChangeBody, response: { 200: Type.Object({ user: User }) } },
    handler: async (request) => {
      const reference = { id: request.params.id, actor: signedInUser(request).username }
      return { user: hubUserView(await changeHubUser(services, { ...request.body, ...reference })) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await deleteHubUser(services, { id: request.params.id, actor: signedInUser(request).username })
      return { message: 'Deleted' }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/set-admin',
    config: { access: 'admin' },
    schema: {
      params: IdParameters,
      body: Type.Object({ is_admin: Type.Boolean() }),
      response: { 200: Type.Object({ user: User }) },
    },
    handler: async (request) => {
      const reference = { id: request.params.id, actor: signedInUser(request).username }
      const user = await changeHubUser(services, { isAdmin: request.body.is_admin, ...reference })
      return { user: hubUserView(user) }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/reset-password',
    config: { access: 'admin' },
    schema: {
      params: IdParameters,
      response: { 200: Type.Object({ message: Type.String(), new_password: Type.String() }) },
    },
    handler: async (request) => {
      const reference = { id: request.params.id, actor: signedInUser(request).username }
      const { user, password } = await resetHubPassword(services, reference)
      return { message: `The sessions of ${user.username} were ended`, new_password: password }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/profiles',
    config: { access: 'admin' },
    schema: {
      params: IdParameters,
      response: { 200: Type.Object({ profiles: Type.Array(Type.Object({ id: Type.String() })) }) },
    },
    handler: async ({ params }) => {
      await getHubUser(services, params.id)
      // A hub has no profiles: they belong to home servers. Existing clients call this route.
      return { profiles: [] }
    },
  })
}
