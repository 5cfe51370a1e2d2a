import type { RoutePlugin } from '../../http/app-types.ts'
import { AssetParameters, createPageFile, createWebAssets } from '../../http/web-pages.ts'

/** The built-in web page, and the assets of all pages of a server. The pages of audiobooks and share links are served by their routes. */
export const webPageRoutes: RoutePlugin = (app) => {
  const page = createPageFile('index')
  const assets = createWebAssets(['index', 'listen', 'share'])

  app.route({
    method: 'GET',
    url: '/',
    config: { access: 'public', reveals: 'none' },
    handler: (request, reply) => page.send(request, reply),
  })

  app.route({
    method: 'GET',
    url: '/assets/*',
    config: { access: 'public', reveals: 'none' },
    schema: { params: AssetParameters },
    handler: (request, reply) => assets.send(request.params['*'], request, reply),
  })
}
