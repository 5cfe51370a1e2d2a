import { listSettings, submitSettings } from '../../../core/platform/settings/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { ChangedSettings, ServerSettings, SettingsBody } from './server-settings.schemas.ts'
import { changedSettingsView, serverSettingsView } from './server-settings.view.ts'

/** `/api/v1/admin/settings`: options that are set in the database (client facts 6.5, admin settings). */
export const serverSettingsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'admin' },
    schema: { response: { 200: ServerSettings } },
    handler: async () => ({ success: true as const, data: serverSettingsView(await listSettings(services)) }),
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'admin' },
    schema: { body: SettingsBody, response: { 200: ChangedSettings } },
    handler: async ({ body }) => {
      await submitSettings(services, body.settings)
      return { success: true as const, data: changedSettingsView(await listSettings(services)) }
    },
  })
}
