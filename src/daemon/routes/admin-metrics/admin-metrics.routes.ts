import type { RoutePlugin } from '../../http/app-types.ts'
import {
  Connections,
  ConnectionsQuery,
  History,
  HistoryQuery,
  Routes,
  RoutesQuery,
  Snapshot,
  SnapshotQuery,
} from './admin-metrics.schemas.ts'
import { connectionView, routeView, snapshotView, spanView } from './admin-metrics.view.ts'

type Range = { usual: number; least: number; most: number }

const WINDOW_SECONDS = { usual: 60, least: 5, most: 600 }
const HISTORY_MINUTES = { usual: 60, least: 1, most: 1440 }
const RESOLUTION_SECONDS = { usual: 60, least: 60, most: 3600 }
const TTL_SECONDS = { usual: 15, least: 1, most: 3600 }
const ROUTES_MINUTES = { usual: 15, least: 1, most: 60 }
const ROUTES_LIMIT = { usual: 20, least: 1, most: 100 }

/**
 * `/api/v1/admin/metrics`: traffic of the server. `success` is omitted, because one client would then read the rows from another key. The
 * page polls every few seconds, so these requests are not logged.
 */
export const adminMetricsRoutes: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '/snapshot',
    config: { access: 'admin', reveals: 'none', isProbe: true },
    schema: { querystring: SnapshotQuery, response: { 200: Snapshot } },
    handler: async ({ query }) => ({ data: snapshotView(app.traffic.snapshot(clamp(query.window, WINDOW_SECONDS))) }),
  })

  app.route({
    method: 'GET',
    url: '/history',
    config: { access: 'admin', reveals: 'none', isProbe: true },
    schema: { querystring: HistoryQuery, response: { 200: History } },
    handler: async ({ query }) => {
      // Rounded to whole minutes, the resolution of the stored data.
      const resolutionSeconds = Math.round(clamp(query.resolution, RESOLUTION_SECONDS) / 60) * 60
      const spans = app.traffic.history({ minutes: clamp(query.minutes, HISTORY_MINUTES), resolutionSeconds })
      return { data: spans.map(spanView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/connections',
    config: { access: 'admin', reveals: 'none', isProbe: true },
    schema: { querystring: ConnectionsQuery, response: { 200: Connections } },
    handler: async ({ query }) => ({
      data: app.traffic.connections(clamp(query.ttl, TTL_SECONDS)).map(connectionView),
    }),
  })

  app.route({
    method: 'GET',
    url: '/routes',
    config: { access: 'admin', reveals: 'none', isProbe: true },
    schema: { querystring: RoutesQuery, response: { 200: Routes } },
    handler: async ({ query }) => {
      const [minutes, limit] = [clamp(query.minutes, ROUTES_MINUTES), clamp(query.limit, ROUTES_LIMIT)]
      return { data: app.traffic.routes({ minutes, limit }).map(routeView) }
    },
  })
}

function clamp(value: number | undefined, { usual, least, most }: Range): number {
  return Math.min(Math.max(value ?? usual, least), most)
}
