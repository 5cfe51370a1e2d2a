import { findItemsByMarker } from '../../../core/analysis/index.ts'
import {
  findListedItems,
  computeLetterSections,
  computeListSections,
  listFilterValues,
  listItems,
  normalizeSearch,
} from '../../../core/catalogue/index.ts'
import { listMostWatched } from '../../../core/playback/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import {
  FilterValues,
  FacetsQuery,
  LetterIndex,
  ListIndex,
  ListIndexQuery,
  MarkerQuery,
  MarkerResult,
  MostWatchedQuery,
  SearchQuery,
  SearchResult,
} from './browse.schemas.ts'
import { listIndexView } from './browse.view.ts'
import { parseMarkerType } from '../markers/markers.view.ts'
import { readConditions } from './read-conditions.ts'
import type { MediaRows } from './media-rows.ts'
import { ItemConditions, MediaList } from './media.schemas.ts'
import { viewerRows } from './viewer-rows.ts'

/** Default for the maximum distance of a marker from the position, in seconds. */
const MARKER_SECONDS = 30

/** No marker is later than a day. */
const MAX_MARKER_SECONDS = 100_000

const MARKER_LIMIT = 50
const MAX_MARKER_LIMIT = 200

/** Index, filter values and search of lists. */
export const browseRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/facets',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: FacetsQuery, response: { 200: FilterValues } },
      handler: async ({ query }) => listFilterValues(services, query),
    })

    app.route({
      method: 'GET',
      url: '/letter-index',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: ItemConditions, response: { 200: LetterIndex } },
      handler: async ({ query }) => computeLetterSections(services, readConditions(query)),
    })

    app.route({
      method: 'GET',
      url: '/index',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: ListIndexQuery, response: { 200: ListIndex } },
      handler: async ({ query }) => listIndexView(await computeListSections(services, readConditions(query))),
    })

    app.route({
      method: 'GET',
      url: '/search',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: SearchQuery, response: { 200: SearchResult } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const { q, include, ...query } = request.query
        const text = normalizeSearch(q)
        if (text === undefined) throw httpErrors.invalid_request({ message: 'q is required', details: { field: 'q' } })
        const { items, ...page } = await listItems(services, readConditions({ ...query, search: text }))
        const shown = await viewerRows(rows, services, { items, reader: signedInAccount(request), include })
        return { items: shown, query: q?.trim() ?? '', ...page }
      },
    })

    app.route({
      method: 'GET',
      url: '/search/by-marker',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: MarkerQuery, response: { 200: MarkerResult } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const { type, around = MARKER_SECONDS, position, limit = MARKER_LIMIT } = request.query
        const markerType = parseMarkerType(type)
        const near = {
          milliseconds: Math.min(position, MAX_MARKER_SECONDS) * 1000,
          within: Math.min(around, MAX_MARKER_SECONDS) * 1000,
        }
        const most = Math.min(Math.max(Math.trunc(limit), 1), MAX_MARKER_LIMIT)
        const ids =
          markerType === undefined ? [] : await findItemsByMarker(services, { type: markerType, near, limit: most })
        const items = await findListedItems(services, ids)
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return { items: await rows.rowsOf(services, items, { showPath }), marker_type: type, around, position }
      },
    })

    app.route({
      method: 'GET',
      url: '/most-watched',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: MostWatchedQuery, response: { 200: MediaList } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const { items, limit } = await listMostWatched(services, request.query)
        const reader = signedInAccount(request)
        const shown = await viewerRows(rows, services, { items, reader, include: request.query.include })
        return { items: shown, total: items.length, limit, offset: 0 }
      },
    })
  }
