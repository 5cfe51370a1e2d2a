import { getReadingPosition, saveReadingPosition } from '../../../core/books/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { ReadingProgress, SavedPlace, SavePlaceBody } from './books.schemas.ts'
import { placeView } from './books.view.ts'

/** The user's position in a book. */
export const bookProgressRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ReadingProgress } },
    handler: async (request) => {
      const address = { bookId: request.params.id, profileId: requireProfileId(request) }
      const progress = placeView(await getReadingPosition(services, address))
      return { ...progress, progress }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: SavePlaceBody, response: { 200: SavedPlace } },
    handler: async (request) => {
      const { position_ms: positionMs, current_page: currentPage, total_pages: totalPages } = request.body
      const { percent_complete: percentComplete, locator } = request.body
      const place = { positionMs, currentPage, totalPages, percentComplete, locator }
      const address = { bookId: request.params.id, profileId: requireProfileId(request) }
      const progress = placeView(await saveReadingPosition(services, { ...address, place }))
      return { ok: true, percent_complete: progress.percent_complete, message: 'Progress updated', progress }
    },
  })
}
