import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { readAccessRule, type AccessRule } from '../../../core/access/index.ts'
import { requireProfileProof } from '../../../core/accounts/index.ts'
import { getProfile, profileErrors, updateProfile, type Profile } from '../../../core/profiles/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import {
  addSchedule,
  changeSchedule,
  listSchedules,
  readStreamLimits,
  removeSchedule,
  setStreamLimits,
  type ScheduleFields,
} from '../../../core/playback-limits/index.ts'
import { scheduleView, streamLimitsView } from '../../../core/views/index.ts'
import { httpErrors } from '../../errors.ts'
import type { App, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { requireFullSessionOfRequest, signedInAccount } from '../../http/signed-in-account.ts'
import { isByAccount, readProof } from '../profiles/profile-input.ts'
import {
  ChangedSchedule,
  ChangedTags,
  CreatedSchedule,
  LimitsBody,
  NewScheduleBody,
  ProfileLimits,
  ProfileTags,
  ProofBody,
  ScheduleChangesBody,
  ScheduleParameters,
  Schedules,
  TagBody,
  TagParameters,
} from './playback-limits.schemas.ts'
import { tagsView } from './playback-limits.view.ts'

type OfProfile = FastifyRequest & { params: { id: string } }
type Proof = { current_pin?: string; password?: string } | undefined

/** Who may read and change which profiles. */
type Rights = {
  access: 'user' | 'admin'
  isByAccount: (request: FastifyRequest) => boolean
  find: (request: OfProfile) => Promise<Profile>
  findForChange: (request: OfProfile, reply: FastifyReply, proof: Proof) => Promise<Profile>
}

/** `/api/v1/profiles`: when and how much the profiles of the account may play, and their tags. */
export const playbackLimitRoutes: RoutePlugin = (app, { services }) => {
  const find = (request: OfProfile): Promise<Profile> =>
    getProfile(services, { id: request.params.id, accountId: signedInAccount(request).id })
  addPlaybackLimitRoutes(app, services, {
    access: 'user',
    isByAccount,
    async find(request) {
      const profile = await find(request)
      const { profile: current } = signedInAccount(request)
      // Limits of others may name what is hidden from this profile.
      if (current.isRestricted && current.id !== profile.id) throw profileErrors.profile_not_found()
      return profile
    },
    async findForChange(request, reply, given) {
      const { account, sessionId } = await requireFullSessionOfRequest(services, request)
      const profile = await find(request)
      // Its limits are those of the account.
      if (profile.isMain) throw profileErrors.main_profile()
      if (!profile.asksPinForChanges || !profile.hasPin) return profile
      const proof = await readProof(services, request, reply, { pin: given?.current_pin, password: given?.password })
      await requireProfileProof(services, { session: { accountId: account.id, sessionId }, profile, proof })
      return profile
    },
  })
}

/** `/api/v1/admin/profiles`: the same for the profiles of all accounts. */
export const adminPlaybackLimitRoutes: RoutePlugin = (app, { services }) => {
  const find = (request: OfProfile): Promise<Profile> => getProfile(services, { id: request.params.id })
  addPlaybackLimitRoutes(app, services, { access: 'admin', isByAccount: () => false, find, findForChange: find })
}

function addPlaybackLimitRoutes(app: App, services: SigningServices, rights: Rights): void {
  addScheduleRoutes(app, services, rights)
  addTagRoutes(app, services, rights)
  addLimitRoutes(app, services, rights)
}

function addScheduleRoutes(app: App, services: SigningServices, { access, find, findForChange }: Rights): void {
  app.route({
    method: 'GET',
    url: '/:id/schedules',
    config: { access, reveals: 'none' },
    schema: { params: IdParameters, response: { 200: Schedules } },
    handler: async (request) => {
      const schedules = await listSchedules(services, { profile: await find(request) })
      return { schedules: schedules.map(scheduleView) }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/schedules',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: NewScheduleBody, response: { 201: CreatedSchedule } },
    handler: async (request, reply) => {
      const profile = await findForChange(request, reply, request.body)
      const schedule = await addSchedule(services, { profile, fields: fieldsOf(request.body) })
      return reply.code(201).send({
        schedule_id: schedule.id,
        message: `${schedule.name} was added`,
        schedule: scheduleView(schedule),
      })
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id/schedules/:scheduleId',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: ScheduleParameters, body: ScheduleChangesBody, response: { 200: ChangedSchedule } },
    handler: async (request, reply) => {
      const profile = await findForChange(request, reply, request.body)
      const fields = fieldsOf(request.body)
      const schedule = await changeSchedule(services, { profile, id: request.params.scheduleId, fields })
      return { message: `${schedule.name} was changed`, schedule: scheduleView(schedule) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/schedules/:scheduleId',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: ScheduleParameters, body: ProofBody, response: { 200: MessageReply } },
    handler: async (request, reply) => {
      const profile = await findForChange(request, reply, request.body)
      await removeSchedule(services, { profile, id: request.params.scheduleId })
      return { message: 'The schedule was deleted' }
    },
  })
}

function addTagRoutes(app: App, services: SigningServices, { access, isByAccount, find, findForChange }: Rights): void {
  async function change(request: FastifyRequest, profile: Profile, limits: (rule: AccessRule) => Partial<AccessRule>) {
    const { policyId } = await updateProfile(services, {
      id: profile.id,
      accountId: profile.accountId,
      fields: { limits },
      isByAccount: isByAccount(request),
    })
    return { message: 'The tags were changed', tags: tagsView(await readAccessRule(services.db, policyId)) }
  }

  app.route({
    method: 'GET',
    url: '/:id/tags',
    config: { access, reveals: 'none' },
    schema: { params: IdParameters, response: { 200: ProfileTags } },
    handler: async (request) => ({ tags: tagsView(await readAccessRule(services.db, (await find(request)).policyId)) }),
  })

  app.route({
    method: 'POST',
    url: '/:id/tags',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: TagBody, response: { 201: ChangedTags } },
    handler: async (request, reply) => {
      const profile = await findForChange(request, reply, request.body)
      const { tag, tag_type: type } = request.body
      const changed = await change(request, profile, ({ blockedTags, allowedTags }) =>
        type === 'blocked' ? { blockedTags: [...blockedTags, tag] } : { allowedTags: [[...allowedTags.flat(), tag]] },
      )
      return reply.code(201).send(changed)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/tags/:tagId',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: TagParameters, body: ProofBody, response: { 200: ChangedTags } },
    handler: async (request, reply) => {
      const profile = await findForChange(request, reply, request.body)
      const { tagId } = request.params
      if (!tagsView(await readAccessRule(services.db, profile.policyId)).some(({ id }) => id === tagId))
        throw httpErrors.not_found()
      const isOther =
        (type: string) =>
        (tag: string): boolean =>
          `${type}:${tag}` !== tagId
      return change(request, profile, ({ blockedTags, allowedTags }) => ({
        blockedTags: blockedTags.filter(isOther('blocked')),
        allowedTags: [allowedTags.flat().filter(isOther('allowed'))],
      }))
    },
  })
}

function addLimitRoutes(app: App, services: SigningServices, { access, find, findForChange }: Rights): void {
  app.route({
    method: 'GET',
    url: '/:id/stream-limits',
    config: { access, reveals: 'none' },
    schema: { params: IdParameters, response: { 200: ProfileLimits } },
    handler: async (request) => ({
      stream_limits: streamLimitsView(await readStreamLimits(services, { profileId: (await find(request)).id })),
    }),
  })

  app.route({
    method: 'PUT',
    url: '/:id/stream-limits',
    config: { access, reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: LimitsBody, response: { 200: ProfileLimits } },
    handler: async (request, reply) => {
      const { id: profileId, accountId } = await findForChange(request, reply, request.body)
      const { max_concurrent_streams: maxStreams, max_total_bandwidth_kbps: maxKbps } = request.body
      const changes = { ...(maxStreams !== undefined && { maxStreams }), ...(maxKbps !== undefined && { maxKbps }) }
      const limits = await setStreamLimits(services, { owner: { profileId }, accountId, changes })
      return { stream_limits: streamLimitsView(limits) }
    },
  })
}

function fieldsOf(body: Static<typeof ScheduleChangesBody>): ScheduleFields {
  return {
    name: body.name,
    startTime: body.start_time,
    endTime: body.end_time,
    days: body.days_of_week,
    zone: body.time_zone,
    isActive: body.is_active,
  }
}
