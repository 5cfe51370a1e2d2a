import { createWebFile, webFilePath } from '../../http/web-file.ts'
import type { HubRoutePlugin } from '../hub-context.ts'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** All static files, by URL. A file name from a request is never used as a path. */
const ASSETS = [
  { url: '/', path: webFilePath('hub/index.html'), contentType: 'text/html; charset=utf-8' },
  { url: '/assets/page.css', path: webFilePath('page.css'), contentType: STYLE },
  { url: '/assets/hub/hub.css', path: webFilePath('hub/hub.css'), contentType: STYLE },
  { url: '/assets/api.js', path: webFilePath('api.js'), contentType: SCRIPT },
  { url: '/assets/kept-sign-in.js', path: webFilePath('kept-sign-in.js'), contentType: SCRIPT },
  { url: '/assets/hub/hub.js', path: webFilePath('hub/hub.js'), contentType: SCRIPT },
  { url: '/assets/hub/lists.js', path: webFilePath('hub/lists.js'), contentType: SCRIPT },
  { url: '/assets/icon.svg', path: webFilePath('icon.svg'), contentType: 'image/svg+xml' },
]

/** The web page of a hub: sign-in, codes and invitations, the servers of a user, and for administrators those of all. */
export const hubPageRoutes: HubRoutePlugin = (app) => {
  for (const asset of ASSETS) {
    const file = createWebFile(asset)
    app.route({
      method: 'GET',
      url: asset.url,
      config: { access: 'public' },
      handler: (request, reply) => file.send(request, reply),
    })
  }
}
