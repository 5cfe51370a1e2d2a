import { AssetParameters, createPageFile, createWebAssets } from '../../http/web-pages.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

/** The web page of a hub: sign-in, codes and invitations, the servers of a user, and for administrators those of all. */
export const hubPageRoutes: HubRoutePlugin = (app) => {
  const page = createPageFile('hub')
  const assets = createWebAssets(['hub'])

  app.route({
    method: 'GET',
    url: '/',
    config: { access: 'public' },
    handler: (request, reply) => page.send(request, reply),
  })

  app.route({
    method: 'GET',
    url: '/assets/*',
    config: { access: 'public' },
    schema: { params: AssetParameters },
    handler: (request, reply) => assets.send(request.params['*'], request, reply),
  })
}
