import { createPageFile, pagePath } from '../../http/page-file.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** All static files, by URL. A file name from a request is never used as a path. */
const ASSETS = [
  { url: '/', path: pagePath('hub/index.html'), contentType: 'text/html; charset=utf-8' },
  { url: '/assets/page.css', path: pagePath('page.css'), contentType: STYLE },
  { url: '/assets/hub/hub.css', path: pagePath('hub/hub.css'), contentType: STYLE },
  { url: '/assets/api.js', path: pagePath('api.js'), contentType: SCRIPT },
  { url: '/assets/kept-sign-in.js', path: pagePath('kept-sign-in.js'), contentType: SCRIPT },
  { url: '/assets/hub/hub.js', path: pagePath('hub/hub.js'), contentType: SCRIPT },
  { url: '/assets/hub/lists.js', path: pagePath('hub/lists.js'), contentType: SCRIPT },
  { url: '/assets/icon.svg', path: pagePath('icon.svg'), contentType: 'image/svg+xml' },
]

/** The web page of a hub: sign-in, codes and invitations, the servers of a user, and for administrators those of all. */
export const hubPageRoutes: HubRoutePlugin = (app) => {
  for (const asset of ASSETS) {
    const file = createPageFile(asset)
    app.route({
      method: 'GET',
      url: asset.url,
      config: { access: 'public' },
      handler: (request, reply) => file.send(request, reply),
    })
  }
}
