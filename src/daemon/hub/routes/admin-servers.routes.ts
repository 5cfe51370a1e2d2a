import { Type } from 'typebox'
import { disableHubServer, hubServerView, listHubServers } from '../../../core/hub/index.ts'
import { IdParameters, MessageReply, Nullable } from '../../http/schemas.ts'
import { signedInUser, type HubRoutePlugin } from '../hub-context.ts'

const Servers = Type.Object({
  servers: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      owner: Type.String(),
      version: Type.String(),
      status: Type.String(),
      has_tunnel: Type.Boolean(),
      last_seen_at: Nullable(Type.String()),
      last_address: Nullable(Type.String()),
      libraries: Type.Integer(),
      active_sessions: Type.Integer(),
      active_transcodes: Type.Integer(),
      created_at: Type.String(),
    }),
  ),
})

/** The home servers of all users, for administrators of the hub. */
export const adminServerRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin' },
    schema: { response: { 200: Servers } },
    handler: async () => {
      const now = services.clock.now()
      return { servers: (await listHubServers(services)).map((server) => hubServerView(server, now)) }
    },
  })

  for (const [word, isDisabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    app.route({
      method: 'POST',
      url: `/:id/${word}`,
      config: { access: 'admin' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        const { username: actor } = signedInUser(request)
        const name = await disableHubServer(services, { id: request.params.id, isDisabled, actor })
        return { message: `${name} is ${word}d` }
      },
    })
  }
}
