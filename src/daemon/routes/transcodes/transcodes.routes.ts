import { startTranscode, transcodeProgress } from '../../../core/streaming/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { deviceTypeOf } from './device-type.ts'
import { IdParameters } from '../../http/schemas.ts'
import { JobParameters } from '../hls/hls.schemas.ts'
import { ProfileQuery, TranscodeStart, TranscodeStatus } from './transcodes.schemas.ts'
import { transcodeView } from './transcodes.view.ts'

/**
 * `/api/v1/media/{id}/transcode`: makes an item playable by adaptive streaming (document 2, Transcode and playback
 * info).
 */
export const transcodeStartRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '/:id/transcode',
    config: { access: 'user', invalidStatus: 422 },
    schema: { params: IdParameters, querystring: ProfileQuery, response: { 200: TranscodeStart } },
    handler: async (request) => {
      const { isReused, ...progress } = await startTranscode(services, {
        itemId: request.params.id,
        profile: request.query.profile,
        deviceType: deviceTypeOf(request),
      })
      return { ...transcodeView(progress, services.signer), reused: isReused }
    },
  })
}

/** `/api/v1/transcode/{jobId}/status`: how far a job is. */
export const transcodeStatusRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/status',
    config: { access: 'user' },
    schema: { params: JobParameters, response: { 200: TranscodeStatus } },
    handler: async (request) => transcodeView(await transcodeProgress(services, request.params.jobId), services.signer),
  })
}
