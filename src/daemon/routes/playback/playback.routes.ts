import { listMarkers } from '../../../core/analysis/index.ts'
import { getItem, listItemParts, listItemSources } from '../../../core/catalogue/index.ts'
import { findResumePosition } from '../../../core/playback/index.ts'
import { previewLadder } from '../../../core/streaming/index.ts'
import { listSubtitleTracks } from '../../../core/subtitles/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { requireProfileId, signedInAccount } from '../../http/signed-in-account.ts'
import { PositionQuery } from '../markers/markers.schemas.ts'
import { filterMarkersAt } from '../markers/markers.view.ts'
import { readDeviceType } from '../../http/device-type.ts'
import { storyboardUrl } from '../trickplay/trickplay.view.ts'
import { readCapabilities } from './client-capabilities.ts'
import { Playback, PlaybackInfo, PlaybackInfoQuery } from './playback.schemas.ts'
import { playbackInfoView, playbackView } from './playback.view.ts'

/** Data that a player requests before playback of an item. */
export const playbackRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/playback-info',
    config: { access: 'user', reveals: 'items', playback: 'nothing' },
    schema: { params: IdParameters, querystring: PlaybackInfoQuery, response: { 200: PlaybackInfo } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const parts = await listItemParts(services, item.id)
      const target = { profile: request.query.profile, deviceType: readDeviceType(request) }
      const [ladder, subtitles, markers, pictureSets, resumeTicks] = await Promise.all([
        previewLadder(services, { item, parts }, target),
        listSubtitleTracks(services, item),
        listMarkers(services, { item, parts }),
        services.trickplay.find([item, ...parts].map(({ id }) => id)),
        findResumePosition(services, { profileId: requireProfileId(request), item }),
      ])
      const shown = filterMarkersAt(markers, request.query.position)
      const storyboard = pictureSets.size === 0 ? null : storyboardUrl(item.id, services.signer)
      const { signer } = services
      const { maxKbps } = request
      const tracks = { markers: shown, subtitles, signer }
      return playbackInfoView(item, { ...tracks, parts, ladder, storyboardUrl: storyboard, resumeTicks, maxKbps })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/playback',
    config: { access: 'user', reveals: 'items', playback: 'nothing' },
    schema: { params: IdParameters, querystring: PositionQuery, response: { 200: Playback } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const capabilities = readCapabilities(request.headers['x-phlix-client-capabilities'])
      const subtitles = await listSubtitleTracks(services, item)
      const sources = await listItemSources(services, item)
      const allMarkers = await listMarkers(services, { item, parts: sources[0]?.parts ?? [] })
      const markers = filterMarkersAt(allMarkers, request.query.position)
      const showPath = await createPathFormatter(services, signedInAccount(request))
      return playbackView(item, { sources, markers, capabilities, subtitles, signer: services.signer, showPath })
    },
  })
}
