import { listWatchHistory } from '../../../core/playback/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { WatchHistory, WatchHistoryQuery } from './all-users-history.schemas.ts'
import { allUsersHistoryView } from './all-users-history.view.ts'

/** The watch history of all users, for administrators. */
export const allUsersHistoryRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: WatchHistoryQuery, response: { 200: WatchHistory } },
    handler: async ({ query }) => {
      const data = (await listWatchHistory(services, query)).map(allUsersHistoryView)
      return { data, count: data.length }
    },
  })
}
