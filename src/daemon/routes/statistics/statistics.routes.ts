import { listNowPlaying } from '../../../core/playback/index.ts'
import {
  listActivity,
  listPlayDays,
  listStorageSnapshots,
  listTopItems,
  listTopUsers,
  sinceDaysAgo,
} from '../../../core/statistics/index.ts'
import { playDayView, topItemView, topUserView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { nowPlayingView } from './now-playing.view.ts'
import {
  ActivityQuery,
  DashboardActivity,
  DashboardItems,
  DashboardStorage,
  DashboardTopQuery,
  DashboardUsers,
  NowPlayingReply,
  PlayDays,
  SeriesQuery,
  Storage,
  StorageQuery,
  TopItems,
  TopQuery,
  TopUsers,
} from './statistics.schemas.ts'
import { activityView, dashboardItemView, dashboardUserView, storageView } from './statistics.view.ts'

/** Playback and library statistics. */
export const statisticsRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/playback',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: SeriesQuery, response: { 200: PlayDays } },
    handler: async (request) => ({ data: (await listPlayDays(services, request.query)).map(playDayView) }),
  })

  app.route({
    method: 'GET',
    url: '/top-users',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: TopQuery, response: { 200: TopUsers } },
    handler: async (request) => ({ data: (await listTopUsers(services, request.query)).map(topUserView) }),
  })

  app.route({
    method: 'GET',
    url: '/top-media',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: TopQuery, response: { 200: TopItems } },
    handler: async (request) => ({ data: (await listTopItems(services, request.query)).map(topItemView) }),
  })

  app.route({
    method: 'GET',
    url: '/storage',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: StorageQuery, response: { 200: Storage } },
    handler: async (request) => ({ data: (await listStorageSnapshots(services, request.query)).map(storageView) }),
  })
}

const DASHBOARD_DAYS = 30

/** The statistics with the keys that dashboards read, and the current activity. */
export const dashboardRoutes: RoutePlugin = (app, { services }) => {
  const sinceOf = ({ days = DASHBOARD_DAYS }: { days?: number }): string => sinceDaysAgo(services.clock, days)

  app.route({
    method: 'GET',
    url: '/now-playing',
    config: { access: 'admin', reveals: 'items' },
    schema: { response: { 200: NowPlayingReply } },
    handler: async () => ({ success: true as const, data: (await listNowPlaying(services)).map(nowPlayingView) }),
  })

  app.route({
    method: 'GET',
    url: '/top-users',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: DashboardTopQuery, response: { 200: DashboardUsers } },
    handler: async ({ query }) => {
      const users = await listTopUsers(services, { limit: query.limit, since: sinceOf(query) })
      return { success: true as const, data: users.map(dashboardUserView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/top-media',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: DashboardTopQuery, response: { 200: DashboardItems } },
    handler: async ({ query }) => {
      const items = await listTopItems(services, { limit: query.limit, since: sinceOf(query) })
      return { success: true as const, data: items.map(dashboardItemView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/storage',
    config: { access: 'admin', reveals: 'items' },
    schema: { response: { 200: DashboardStorage } },
    handler: async () => ({ success: true as const, data: (await listStorageSnapshots(services)).map(storageView) }),
  })

  app.route({
    method: 'GET',
    url: '/activity',
    config: { access: 'admin', reveals: 'items' },
    schema: { querystring: ActivityQuery, response: { 200: DashboardActivity } },
    handler: async (request) => {
      const events = await listActivity(services, request.query)
      return { success: true as const, data: events.map(activityView) }
    },
  })
}
