import { logFileRoutes } from '../../routes/logs/logs.routes.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

/** `/api/v1/admin/logs`: the log of the hub, as that of a media server. */
export const hubLogRoutes: HubRoutePlugin = (app, { services: { config }, recentLines }) => {
  logFileRoutes(app, { config, recentLines })
}
