import { getItem, listItemParts, listItemSources } from '../../../core/catalogue/index.ts'
import { previewLadder } from '../../../core/streaming/index.ts'
import { listSubtitleTracks } from '../../../core/subtitles/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { pathsShownTo } from '../../http/shown-paths.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { deviceTypeOf } from '../transcodes/device-type.ts'
import { ProfileQuery } from '../transcodes/transcodes.schemas.ts'
import { readCapabilities } from './client-capabilities.ts'
import { Playback, PlaybackInfo } from './playback.schemas.ts'
import { playbackInfoView, playbackView } from './playback.view.ts'

/** Data that a player requests before playback of an item. */
export const playbackRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/playback-info',
    config: { access: 'user' },
    schema: { params: IdParameters, querystring: ProfileQuery, response: { 200: PlaybackInfo } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const parts = await listItemParts(services, item.id)
      const target = { profile: request.query.profile, deviceType: deviceTypeOf(request) }
      const [ladder, subtitles] = await Promise.all([
        previewLadder(services, { item, parts }, target),
        listSubtitleTracks(services, item),
      ])
      return playbackInfoView(item, { parts, ladder, subtitles, signer: services.signer })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/playback',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: Playback } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const capabilities = readCapabilities(request.headers['x-phlix-client-capabilities'])
      const subtitles = await listSubtitleTracks(services, item)
      const sources = await listItemSources(services, item)
      const showPath = await pathsShownTo(services, signedInAccount(request))
      return playbackView(item, { sources, capabilities, subtitles, signer: services.signer, showPath })
    },
  })
}
