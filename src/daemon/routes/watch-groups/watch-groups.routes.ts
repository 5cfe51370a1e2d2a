import type { FastifyRequest } from 'fastify'
import { clientPasswordHash, membersByJoinOrder, type JoiningClient } from '../../../core/watch-together/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireProfileId, signedInSession } from '../../http/signed-in-account.ts'
import { watchGroupListingView } from '../../../core/views/index.ts'
import {
  CreateGroupBody,
  GroupList,
  JoinedGroup,
  JoinGroupBody,
  LeaveGroupBody,
  LeftGroup,
  OneGroup,
} from './watch-groups.schemas.ts'
import { toGroupPerson } from '../../http/to-group-person.ts'
import { joinedView, restGroupView } from './watch-groups.view.ts'

/** Watch groups for clients that create and join them over HTTP. Playback itself is controlled over a WebSocket. */
export const watchGroupRoutes: RoutePlugin = (app, { services }) => {
  const { watchGroups: groups } = services

  app.route({
    method: 'GET',
    url: '/groups',
    config: { access: 'user', reveals: 'items' },
    schema: { response: { 200: GroupList } },
    handler: async (request) => {
      const listed = await groups.list(requireProfileId(request))
      return { groups: listed.map(watchGroupListingView) }
    },
  })

  app.route({
    method: 'POST',
    url: '/groups',
    config: { access: 'user', reveals: 'items', carriesSecrets: true },
    schema: { body: CreateGroupBody, response: { 201: JoinedGroup } },
    handler: async (request, reply) => {
      const { name, description, isPublic, is_public } = request.body
      const created = await groups.create(
        { name, description, isPublic: isPublic ?? is_public },
        joinerOf(request, request.body),
      )
      return reply.code(201).send(joinedView(created, groups.serverMilliseconds()))
    },
  })

  app.route({
    method: 'GET',
    url: '/groups/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneGroup } },
    handler: async (request) => {
      const profileId = requireProfileId(request)
      const group = await groups.read(request.params.id)
      const isMember = membersByJoinOrder(group).some((member) => member.profileId === profileId)
      return { group: restGroupView(group, { now: groups.serverMilliseconds(), isMember }) }
    },
  })

  app.route({
    method: 'POST',
    url: '/groups/:id/join',
    config: { access: 'user', reveals: 'items', carriesSecrets: true },
    schema: { params: IdParameters, body: JoinGroupBody, response: { 200: JoinedGroup } },
    handler: async (request) => {
      const joined = await groups.joinAnywhere(request.params.id, joinerOf(request, request.body ?? {}))
      return joinedView(joined, groups.serverMilliseconds())
    },
  })

  app.route({
    method: 'POST',
    url: '/groups/:id/leave',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: LeaveGroupBody, response: { 200: LeftGroup } },
    handler: async (request) => {
      await groups.leaveAnywhere(request.params.id, joinerOf(request, {}))
      return { success: true as const, message: 'Left the group' }
    },
  })
}

/** Who joins, from the token of the request. */
function joinerOf(
  request: Pick<FastifyRequest, 'account' | 'sessionId'>,
  { memberName: name, password }: { memberName?: string; password?: string },
): JoiningClient {
  const { account, sessionId } = signedInSession(request)
  const clientHash = password === undefined ? undefined : clientPasswordHash(password)
  const { id: profileId, username } = toGroupPerson(account)
  return { profileId, username, sessionId, name, clientHash, reportsReadiness: false }
}
