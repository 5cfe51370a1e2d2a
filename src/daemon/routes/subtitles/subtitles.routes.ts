import { getItem, listItemParts } from '../../../core/catalogue/index.ts'
import { contentTypeOf } from '../../../core/platform/files/index.ts'
import {
  listOtherTracks,
  listSubtitleTracks,
  parseTrackIndex,
  readItemSubtitle,
  subtitleResource,
} from '../../../core/subtitles/index.ts'
import { listChapters } from '../../../core/tracks/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { ChapterList, SubtitleCandidates, SubtitleList, SubtitleParameters } from './subtitles.schemas.ts'
import { otherTrackView, pictureChapterView, subtitleTrackView } from './subtitles.view.ts'

/** Players must revalidate, so that edits of a subtitle file are visible at once. */
const CACHE_CONTROL = 'private, no-cache'

/** Text subtitles and chapters of an item. */
export const subtitleRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/subtitles',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: SubtitleList } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const tracks = await listSubtitleTracks(services, item)
      const others = await listOtherTracks(services, item)
      return {
        tracks: tracks.map((track) => subtitleTrackView(item.id, track, services.signer)),
        other_tracks: others.map((track) => otherTrackView(track)),
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/subtitles/search',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: SubtitleCandidates } },
    handler: async (request) => {
      await getItem(services, request.params.id)
      return { candidates: [], message: 'No subtitle provider is configured.' }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/subtitles/:index',
    config: {
      access: 'signed',
      signedResource: ({ id = '', index = '' }) => subtitleResource({ itemId: id, index }),
    },
    schema: { params: SubtitleParameters },
    handler: async (request, reply) => {
      const index = parseTrackIndex(request.params.index)
      const item = await getItem(services, request.params.id)
      const text = await readItemSubtitle(services, { item, index })
      return reply.type(contentTypeOf('subtitles.vtt')).header('cache-control', CACHE_CONTROL).send(text)
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/chapters',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: ChapterList } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const chapters = listChapters(item, await listItemParts(services, item.id))
      return {
        chapters: chapters.map((chapter, number) => pictureChapterView(item, { chapter, number }, services.signer)),
      }
    },
  })
}
