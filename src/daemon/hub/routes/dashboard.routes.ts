import { Type } from 'typebox'
import { readHubAudit, readHubSummary } from '../../../core/hub/index.ts'
import { QueryInteger } from '../../http/schemas.ts'
import type { HubRoutePlugin } from '../hub-context.ts'
import { AuditEntry } from './audit.schemas.ts'
import { auditView } from './audit.view.ts'

const ACTIVITY = { usual: 20, most: 100 }

const Summary = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    servers: Type.Object({ total: Type.Integer(), online: Type.Integer(), offline: Type.Integer() }),
    active_relay_sessions: Type.Integer(),
    pending_requests: Type.Integer(),
    user_count: Type.Integer(),
  }),
})

const Activity = Type.Object({
  success: Type.Literal(true),
  data: Type.Array(AuditEntry),
})

/** Numbers and the audit log, for administrators of the hub. Requests for titles stay at the home servers, so none is pending here. */
export const dashboardRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/summary',
    config: { access: 'admin' },
    schema: { response: { 200: Summary } },
    handler: async () => {
      const { servers, tunnels, users } = await readHubSummary(services)
      const data = { servers, active_relay_sessions: tunnels, pending_requests: 0, user_count: users }
      return { success: true as const, data }
    },
  })

  app.route({
    method: 'GET',
    url: '/activity',
    config: { access: 'admin' },
    schema: { querystring: Type.Object({ limit: Type.Optional(QueryInteger) }), response: { 200: Activity } },
    handler: async ({ query }) => {
      const limit = Math.min(Math.max(query.limit ?? ACTIVITY.usual, 1), ACTIVITY.most)
      const { entries } = await readHubAudit(services, { limit })
      return { success: true as const, data: entries.map(auditView) }
    },
  })
}
