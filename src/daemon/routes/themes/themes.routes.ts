import type { RoutePlugin } from '../../http/app-types.ts'
import { ThemeList } from './themes.schemas.ts'

/** Colours and fonts beyond those that a client brings itself; they come with plugins, of which this release has none. */
export const themeRoutes: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user' },
    schema: { response: { 200: ThemeList } },
    handler: async () => ({ themes: [] }),
  })
}
