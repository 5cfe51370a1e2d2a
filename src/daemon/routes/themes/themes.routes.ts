import type { RoutePlugin } from '../../http/app-types.ts'
import { ThemeList } from './themes.schemas.ts'

/** Colours and fonts in addition to the client's own. They are provided by plugins, and this release has none. */
export const themeRoutes: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: ThemeList } },
    handler: async () => ({ themes: [] }),
  })
}
