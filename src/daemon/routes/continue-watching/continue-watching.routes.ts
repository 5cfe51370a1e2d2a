import { continueWatching } from '../../../core/playback/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { ContinueWatchingList, ContinueWatchingQuery } from './continue-watching.schemas.ts'
import { continueWatchingView } from './continue-watching.view.ts'

/** What the user has begun; served at two paths (document 1, Media catalogue). */
export const continueWatchingRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/continue-watching',
    config: { access: 'user' },
    schema: { querystring: ContinueWatchingQuery, response: { 200: ContinueWatchingList } },
    handler: async (request) => {
      const { limit } = request.query
      const unfinished = await continueWatching(services, { userId: signedInAccount(request).id, limit })
      return { items: unfinished.map(continueWatchingView) }
    },
  })
}
