import type { HubServices } from '../../core/hub/index.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { readBearerToken } from '../hooks/authentication.ts'

/**
 * Enforces the access level of each route of a hub, before its body is read. A route without one throws at its registration, so that the
 * hub does not start. Home servers are authenticated by their routes, which are public for this check.
 */
export function installHubGuards(app: App, { sessions }: Pick<HubServices, 'sessions'>): void {
  app.decorateRequest('account', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('hubUser', null)
  app.decorate('declaredRoutes', [])
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access
    if (access !== 'public' && access !== 'user' && access !== 'admin') {
      throw new Error(`${String(method)} ${url} does not declare config.access`)
    }
    app.declaredRoutes.push(...[method].flat().map((word) => ({ method: word, url, access, reveals: 'none' as const })))
  })
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (access === undefined || access === 'public') return
    const token = readBearerToken(request.raw.headersDistinct)
    if (token === undefined) throw httpErrors.auth_required()
    request.hubUser = await sessions.identify(token)
    if (access === 'admin' && !request.hubUser.isAdmin) throw httpErrors.not_admin()
  })
}
