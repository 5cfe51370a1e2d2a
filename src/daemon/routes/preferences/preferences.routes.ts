import { changePreferences, readPreferences } from '../../../core/preferences/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { FreeObject, MessageReply } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { PlaybackPreferences, PlaybackPreferencesBody, UserSettings } from './preferences.schemas.ts'
import { userPreferencesView } from './preferences.view.ts'

const SAVED = { message: 'Settings saved' }

/** `…/users/me/settings`: user interface settings. */
export const userPreferenceRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: UserSettings } },
    handler: async (request) => {
      const settings = await readPreferences(services, { profileId: requireProfileId(request), name: 'server' })
      return { settings: userPreferencesView(settings) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { body: FreeObject, response: { 200: MessageReply } },
    handler: async (request) => {
      const profileId = requireProfileId(request)
      await changePreferences(services, { profileId, name: 'server', changes: request.body })
      return SAVED
    },
  })
}

/** `…/me/settings` is free-form storage of one client; `…/me/playback/preferences` stores player preferences. */
export const ownPreferenceRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: FreeObject } },
    handler: async (request) => readPreferences(services, { profileId: requireProfileId(request), name: 'client' }),
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { body: FreeObject, response: { 200: MessageReply } },
    handler: async (request) => {
      const profileId = requireProfileId(request)
      await changePreferences(services, { profileId, name: 'client', changes: request.body })
      return SAVED
    },
  })

  app.route({
    method: 'GET',
    url: '/playback/preferences',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: PlaybackPreferences } },
    handler: async (request) => {
      const preferences = await readPreferences(services, { profileId: requireProfileId(request), name: 'playback' })
      return { preferences }
    },
  })

  app.route({
    method: 'PUT',
    url: '/playback/preferences',
    config: { access: 'user', reveals: 'none' },
    schema: { body: PlaybackPreferencesBody, response: { 200: MessageReply } },
    handler: async (request) => {
      const { preferences = request.body } = request.body
      const profileId = requireProfileId(request)
      await changePreferences(services, { profileId, name: 'playback', changes: preferences })
      return SAVED
    },
  })
}
