import {
  analysisErrors,
  clearMarkers,
  isMarkerType,
  listMarkedItems,
  listMarkers,
  setMarkers,
  type ManualMarker,
} from '../../../core/analysis/index.ts'
import { catalogueErrors, getItem, listItemParts } from '../../../core/catalogue/index.ts'
import { listChapters } from '../../../core/tracks/index.ts'
import { chapterView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { MarkerList, MarkersBody, NamedMarkerRow, PositionQuery, ShowMarkers } from './markers.schemas.ts'
import { filterMarkersAt, markersView, namedMarkerView } from './markers.view.ts'

/** The parts of an item that players offer to skip. */
export const markerRoutes: RoutePlugin = (app, { services }) => {
  const read = async (id: string) => {
    const item = await getItem(services, id)
    const parts = await listItemParts(services, item.id)
    return { item, parts, markers: await listMarkers(services, { item, parts }) }
  }

  app.route({
    method: 'GET',
    url: '/:id/markers',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, querystring: PositionQuery, response: { 200: MarkerList } },
    handler: async (request) => {
      const { item, parts, markers } = await read(request.params.id)
      const chapters = listChapters(item, parts).map(chapterView)
      return { ...markersView(filterMarkersAt(markers, request.query.position)), chapters }
    },
  })

  for (const type of ['intro', 'outro'] as const) {
    app.route({
      method: 'GET',
      url: `/:id/markers/${type}`,
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: NamedMarkerRow } },
      handler: async (request) => {
        const { markers } = await read(request.params.id)
        const marker = markers.find((one) => one.type === type)
        if (marker === undefined) throw analysisErrors.marker_not_found()
        return namedMarkerView(marker)
      },
    })
  }

  app.route({
    method: 'PUT',
    url: '/:id/markers',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: MarkersBody, response: { 200: MarkerList } },
    handler: async (request) => {
      const { id: itemId } = request.params
      await setMarkers(services, { itemId, markers: request.body.markers.map(readMarker) })
      const { item, parts, markers } = await read(itemId)
      return { ...markersView(markers), chapters: listChapters(item, parts).map(chapterView) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/markers',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: MarkerList } },
    handler: async (request) => {
      await clearMarkers(services, request.params.id)
      const { item, parts, markers } = await read(request.params.id)
      return { ...markersView(markers), chapters: listChapters(item, parts).map(chapterView) }
    },
  })
}

/** The markers of all episodes of a series. */
export const showMarkerRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/markers/bulk',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ShowMarkers } },
    handler: async (request) => {
      const { id: itemId, libraryId, type } = await getItem(services, request.params.id)
      if (type !== 'series' && type !== 'season') throw catalogueErrors.media_item_not_found()
      const items = await listMarkedItems(services, { libraryId, itemId, since: null })
      return {
        show_id: itemId,
        episodes: items.map(({ itemId: id, name, markers }) =>
          Object.assign({ item_id: id, name }, markersView(markers)),
        ),
      }
    },
  })
}

type GivenMarker = {
  type: string
  start_seconds?: number
  end_seconds?: number
  start_ms?: number
  end_ms?: number
  none?: boolean
}

/** @throws AppError `markers_invalid` for a marker with neither times nor `none` */
function readMarker({ type, none, ...times }: GivenMarker): ManualMarker {
  if (!isMarkerType(type)) throw analysisErrors.markers_invalid({ message: `${type} is not a type of marker` })
  if (none === true && Object.keys(times).length === 0) return { type, range: null }
  const startMilliseconds = times.start_ms ?? millisecondsOf(times.start_seconds)
  const endMilliseconds = times.end_ms ?? millisecondsOf(times.end_seconds)
  if (none === true || startMilliseconds === undefined || endMilliseconds === undefined) {
    throw analysisErrors.markers_invalid({
      message: `${type} needs start_seconds and end_seconds, or start_ms and end_ms, or only "none": true`,
    })
  }
  return { type, range: { startMilliseconds, endMilliseconds } }
}

function millisecondsOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}
