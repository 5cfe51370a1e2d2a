import { getAccount } from '../../../core/accounts/index.ts'
import { catalogueErrors } from '../../../core/catalogue/index.ts'
import {
  createProfile,
  deleteProfile,
  explainVisibility,
  getProfile,
  listProfiles,
  profileErrors,
  setPin,
  updateProfile,
} from '../../../core/profiles/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { App, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { profileRow, readFields } from './profile-input.ts'
import {
  ChangedProfile,
  CreatedProfile,
  ExplainQuery,
  Explanation,
  NewProfileBody,
  OneProfile,
  PinBody,
  ProfileChangesBody,
  Profiles,
} from './profiles.schemas.ts'

/** The profiles of any account, for administrators, who need no PIN. */
export const adminProfilesOfUserRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/profiles',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: Profiles } },
    handler: async ({ params }) => {
      const { id: accountId } = await getAccount(services, { accountId: params.id })
      const profiles = await listProfiles(services, { accountId })
      return { profiles: await Promise.all(profiles.map((profile) => profileRow(services, profile, undefined))) }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/profiles',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: NewProfileBody, response: { 201: CreatedProfile } },
    handler: async ({ params, body }, reply) => {
      const { id: accountId } = await getAccount(services, { accountId: params.id })
      const fields = { ...(await readFields(services, body)), name: body.name }
      const profile = await createProfile(services, { accountId, fields, pin: body.pin ?? '' })
      const row = await profileRow(services, profile, undefined)
      return reply.code(201).send({ profile_id: profile.id, message: `${profile.name} was created`, profile: row })
    },
  })
}

/** A profile of any account, for administrators. */
export const adminProfileRoutes: RoutePlugin = (app, { services }) => {
  addRecordRoutes(app, services)
  addPinRoutes(app, services)

  app.route({
    method: 'GET',
    url: '/:id/explain',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, querystring: ExplainQuery, response: { 200: Explanation } },
    handler: async ({ params: { id }, query: { item: itemId } }) => {
      const profile = await getProfile(services, { id })
      const explanation = await explainVisibility(services, { profile, itemId })
      if (explanation === undefined) throw catalogueErrors.media_item_not_found()
      return { visible: explanation.isVisible, reasons: explanation.reasons }
    },
  })
}

function addRecordRoutes(app: App, services: SigningServices): void {
  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: OneProfile } },
    handler: async ({ params: { id } }) => ({
      profile: await profileRow(services, await getProfile(services, { id }), undefined),
    }),
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: ProfileChangesBody, response: { 200: ChangedProfile } },
    handler: async ({ params: { id }, body }) => {
      if (body.is_active !== undefined) throw profileErrors.use_switch()
      const profile = await updateProfile(services, { id, fields: await readFields(services, body) })
      return { message: `${profile.name} was changed`, profile: await profileRow(services, profile, undefined) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params: { id } }) => ({ message: `${(await deleteProfile(services, { id })).name} was deleted` }),
  })
}

function addPinRoutes(app: App, services: SigningServices): void {
  app.route({
    method: 'POST',
    url: '/:id/pin',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: PinBody, response: { 200: MessageReply } },
    handler: async ({ params: { id }, body }) => {
      const { name, hasPin } = await setPin(services, { id, pin: body.pin ?? '' })
      return { message: hasPin ? `${name} has a PIN` : `${name} has no PIN` }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/pin',
    config: { access: 'admin', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async ({ params: { id } }) => {
      const { name } = await setPin(services, { id, pin: '' })
      return { message: `${name} has no PIN` }
    },
  })
}
