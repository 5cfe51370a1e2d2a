import { changeSettings, readSettings } from '../../../core/preferences/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { FreeObject, Message } from '../../http/schemas.ts'
import { profileIdOf } from '../../http/signed-in-account.ts'
import { PlaybackPreferences, PlaybackPreferencesBody, UserSettings } from './settings.schemas.ts'
import { userSettingsView } from './settings.view.ts'

const SAVED = { message: 'Settings saved' }

/** `…/users/me/settings`: user interface settings. */
export const userSettingsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: UserSettings } },
    handler: async (request) => {
      const settings = await readSettings(services, { profileId: profileIdOf(request), name: 'server' })
      return { settings: userSettingsView(settings) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { body: FreeObject, response: { 200: Message } },
    handler: async (request) => {
      const profileId = profileIdOf(request)
      await changeSettings(services, { profileId, name: 'server', changes: request.body })
      return SAVED
    },
  })
}

/** `…/me/settings` is free-form storage of one client; `…/me/playback/preferences` stores player preferences. */
export const ownSettingsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: FreeObject } },
    handler: async (request) => readSettings(services, { profileId: profileIdOf(request), name: 'client' }),
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'user', reveals: 'none' },
    schema: { body: FreeObject, response: { 200: Message } },
    handler: async (request) => {
      const profileId = profileIdOf(request)
      await changeSettings(services, { profileId, name: 'client', changes: request.body })
      return SAVED
    },
  })

  app.route({
    method: 'GET',
    url: '/playback/preferences',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: PlaybackPreferences } },
    handler: async (request) => {
      const preferences = await readSettings(services, { profileId: profileIdOf(request), name: 'playback' })
      return { preferences }
    },
  })

  app.route({
    method: 'PUT',
    url: '/playback/preferences',
    config: { access: 'user', reveals: 'none' },
    schema: { body: PlaybackPreferencesBody, response: { 200: Message } },
    handler: async (request) => {
      const { preferences = request.body } = request.body
      const profileId = profileIdOf(request)
      await changeSettings(services, { profileId, name: 'playback', changes: preferences })
      return SAVED
    },
  })
}
