import { clearHistory, listContinueWatching, listHistory, listNextUp } from '../../../core/playback/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply, PageQuery } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { requireProfileId, signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import {
  ContinueWatchingList,
  ContinueWatchingQuery,
  HistoryList,
  NextUpList,
  RecentlyWatchedList,
} from './continue-watching.schemas.ts'
import { continueWatchingView, historyView, nextUpView, recentlyWatchedView } from './playback-lists.view.ts'

const itemOf = <Item>({ item }: { item: Item }): Item => item

/** Items that the user has started and not finished; available at two paths. */
export const continueWatchingRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/continue-watching',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: ContinueWatchingQuery, response: { 200: ContinueWatchingList } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const { limit } = request.query
        const unfinished = await listContinueWatching(services, { profileId: requireProfileId(request), limit })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        const listed = await rows.rowsOf(services, unfinished.map(itemOf), { showPath, hasSeriesPosters: true })
        return { items: continueWatchingView(rows, listed, unfinished) }
      },
    })
  }

/** Unfinished items, next episodes and history of the user; below `/api/v1/users/me`. */
export const watchedRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/next-up',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: ContinueWatchingQuery, response: { 200: NextUpList } },
      handler: async (request) => {
        const episodes = await listNextUp(services, { profileId: requireProfileId(request), ...request.query })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        const listed = await rows.rowsOf(services, episodes.map(itemOf), { showPath })
        return { items: nextUpView(listed, episodes) }
      },
    })

    app.route({
      method: 'GET',
      url: '/recently-watched',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: PageQuery, response: { 200: RecentlyWatchedList } },
      handler: async (request) => {
        const { played, ...page } = await listHistory(services, {
          profileId: requireProfileId(request),
          ...request.query,
        })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        const listed = await rows.rowsOf(services, played.map(itemOf), { showPath })
        return { items: recentlyWatchedView(listed, played), ...page }
      },
    })

    app.route({
      method: 'DELETE',
      url: '/history',
      config: { access: 'user', reveals: 'items' },
      schema: { response: { 200: MessageReply } },
      handler: async (request) => {
        await clearHistory(services, { profileId: requireProfileId(request) })
        return { message: 'History cleared' }
      },
    })

    app.route({
      method: 'DELETE',
      url: '/history/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await clearHistory(services, { profileId: requireProfileId(request), mediaItemId: request.params.id })
        return { message: 'Removed from history' }
      },
    })
  }

/** `GET /api/v1/me/history`. */
export const historyRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/history',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: PageQuery, response: { 200: HistoryList } },
      handler: async (request) => {
        const { played, ...page } = await listHistory(services, {
          profileId: requireProfileId(request),
          ...request.query,
        })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        const listed = await rows.rowsOf(services, played.map(itemOf), { showPath })
        return { items: historyView(listed, played), ...page }
      },
    })
  }
