import type { FastifyRequest } from 'fastify'
import { readSubtitleLanguage } from '../../../core/preferences/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import {
  chooseSubtitle,
  startTranscode,
  getTranscodeProgress,
  type TranscodeProgress,
} from '../../../core/streaming/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { readDeviceType, isBrowser } from '../../http/device-type.ts'
import { IdParameters } from '../../http/schemas.ts'
import { JobParameters, TranscodeQuery, TranscodeStart, TranscodeStatus } from './transcodes.schemas.ts'
import { transcodeView } from './transcodes.view.ts'

/** `/api/v1/media/{id}/transcode`: makes an item available for adaptive streaming. */
export const transcodeStartRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '/:id/transcode',
    config: { access: 'user', reveals: 'items', playback: 'item', invalidStatus: 422 },
    schema: { params: IdParameters, querystring: TranscodeQuery, response: { 200: TranscodeStart } },
    handler: async (request) => {
      const { isReused, ...progress } = await startTranscode(services, {
        itemId: request.params.id,
        profile: request.query.profile,
        deviceType: readDeviceType(request),
        subtitle: request.query.subtitle,
      })
      const chosen = await chosenSubtitle(services, request, progress)
      return { ...transcodeView(progress, chosen, services.signer), reused: isReused }
    },
  })
}

/** `/api/v1/transcode/{jobId}/status`: the progress of a job. */
export const transcodeStatusRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:jobId/status',
    config: { access: 'user', reveals: 'items', playback: 'nothing' },
    schema: { params: JobParameters, response: { 200: TranscodeStatus } },
    handler: async (request) => {
      const progress = await getTranscodeProgress(services, request.params.jobId)
      return transcodeView(progress, await chosenSubtitle(services, request, progress), services.signer)
    },
  })
}

/**
 * The default subtitle track for the user's language. Clients in a browser render subtitles themselves; if the playlist also marked one as
 * default, it would be shown twice.
 */
async function chosenSubtitle(
  { db }: SigningServices,
  request: FastifyRequest,
  { subtitles }: Pick<TranscodeProgress, 'subtitles'>,
): Promise<number | null> {
  if (subtitles.length === 0 || isBrowser(readDeviceType(request))) return null
  const language = await readSubtitleLanguage({ db }, requireProfileId(request))
  return language === null ? null : chooseSubtitle(subtitles, language)
}
