import { readHubAudit } from '../../../core/hub/index.ts'
import { signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { AuditLog, AuditQuery } from './audit.schemas.ts'
import { auditView } from './audit.view.ts'

const AUDIT_LINES = { usual: 50, most: 200, deepest: 100_000 }

/** The audit log of a signed-in hub user. */
export const auditRoutes: HubRoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user' },
    schema: { querystring: AuditQuery, response: { 200: AuditLog } },
    handler: async (request) => {
      const limit = Math.min(Math.max(request.query.limit ?? AUDIT_LINES.usual, 1), AUDIT_LINES.most)
      const offset = Math.min(Math.max(request.query.offset ?? 0, 0), AUDIT_LINES.deepest)
      const { entries, total } = await readHubAudit(services, { userId: signedInUser(request).id, limit, offset })
      return { logs: entries.map(auditView), total, limit }
    },
  })
}
