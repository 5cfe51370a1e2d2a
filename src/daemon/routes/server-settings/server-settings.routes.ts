import { checkProviderKeys } from '../../../core/metadata/index.ts'
import {
  filterChangedSettings,
  changeSettings,
  checkSettings,
  listSettings,
} from '../../../core/platform/settings/index.ts'
import { requireSafeSignInChange } from '../../../core/require-safe-sign-in-change.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { ChangedSettings, ServerSettings, SettingsBody } from './server-settings.schemas.ts'
import { changedSettingsView, keyWarnings, serverSettingsView } from './server-settings.view.ts'

/** `/api/v1/admin/settings`: options that are stored in the database. */
export const serverSettingsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/settings',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: ServerSettings } },
    handler: async () => ({ success: true as const, data: serverSettingsView(await listSettings(services)) }),
  })

  app.route({
    method: 'PUT',
    url: '/settings',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: SettingsBody, response: { 200: ChangedSettings } },
    handler: async ({ body }) => {
      const changes = await filterChangedSettings(services, body.settings)
      checkSettings(services, changes)
      await requireSafeSignInChange(services, { changes, isRiskAccepted: body.accept_sign_in_risk === true })
      const checks = await checkProviderKeys(services, changes)
      await changeSettings(services, changes)
      const data = changedSettingsView(await listSettings(services))
      return { success: true as const, data, warnings: keyWarnings(checks) }
    },
  })
}
