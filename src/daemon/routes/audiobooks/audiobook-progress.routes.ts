import { getAudiobookProgress, saveProgress } from '../../../core/audiobooks/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { AudiobookProgress, SavedProgress, SaveProgressBody } from './audiobook-progress.schemas.ts'
import { audiobookProgressView } from './audiobook-progress.view.ts'

/** The user's position in an audiobook. */
export const audiobookProgressRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: AudiobookProgress } },
    handler: async (request) => {
      const address = { audiobookId: request.params.id, profileId: requireProfileId(request) }
      const progress = audiobookProgressView(await getAudiobookProgress(services, address))
      return { ...progress, progress }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: SaveProgressBody, response: { 200: SavedProgress } },
    handler: async (request) => {
      const address = { audiobookId: request.params.id, profileId: requireProfileId(request) }
      const {
        position_ms: positionMs,
        current_chapter_index: currentChapterIndex,
        percent_complete: percentComplete,
      } = request.body
      const place = { positionMs, currentChapterIndex, percentComplete }
      const progress = audiobookProgressView(await saveProgress(services, { ...address, ...place }))
      return { ok: true, percent_complete: progress.percent_complete, message: 'Progress updated', progress }
    },
  })
}
