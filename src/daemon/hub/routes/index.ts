import { WEB_SESSION_PATH } from '../../http/web-session-cookie.ts'
import type { HubRoutePlugin } from '../hub-context.ts'
import { adminServerRoutes } from './admin-servers.routes.ts'
import { adminUserRoutes } from './admin-users.routes.ts'
import { auditRoutes } from './audit.routes.ts'
import { authRoutes } from './auth.routes.ts'
import { claimRoutes } from './claims.routes.ts'
import { dashboardRoutes } from './dashboard.routes.ts'
import { hubHealthRoutes } from './health.routes.ts'
import { hubKeySetRoutes } from './key-set.routes.ts'
import { hubLogRoutes } from './logs.routes.ts'
import { hubPageRoutes } from './hub-page.routes.ts'
import { myServerRoutes } from './my-servers.routes.ts'
import { proxyRoutes } from '../relay/proxy.routes.ts'
import { homeServerRoutes } from './home-servers.routes.ts'
import { sharingRoutes } from './sharing.routes.ts'
import { webSessionRoutes } from './web-session.routes.ts'

/** The routes of a hub with their prefixes. */
export const HUB_ROUTES: readonly (readonly [prefix: string, plugin: HubRoutePlugin])[] = [
  ['', hubHealthRoutes],
  ['', hubKeySetRoutes],
  ['', hubPageRoutes],
  ['/api/v1/auth', authRoutes],
  [WEB_SESSION_PATH, webSessionRoutes],
  ['/api/v1/server-claims', claimRoutes],
  ['/api/v1/servers', homeServerRoutes],
  ['/api/v1/servers', proxyRoutes],
  ['/api/v1/me', myServerRoutes],
  ['/api/v1/me/audit-logs', auditRoutes],
  ['/api/v1/me', sharingRoutes],
  ['/api/v1/admin/dashboard', dashboardRoutes],
  ['/api/v1/admin/users', adminUserRoutes],
  ['/api/v1/admin/servers', adminServerRoutes],
  ['/api/v1/admin/logs', hubLogRoutes],
]
