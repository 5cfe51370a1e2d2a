import { getItem, listItemParts } from '../../../core/catalogue/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import {
  downloadSubtitle,
  listOtherTracks,
  listSubtitleTracks,
  parseTrackIndex,
  readItemSubtitle,
  removeDownloadedSubtitle,
  searchSubtitles,
  subtitleErrors,
  subtitleResource,
} from '../../../core/subtitles/index.ts'
import { listChapters } from '../../../core/tracks/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import {
  ChapterList,
  DownloadBody,
  DownloadedTrack,
  ExternalParameters,
  SubtitleCandidates,
  SubtitleList,
  SubtitleParameters,
  SubtitleSearchQuery,
} from './subtitles.schemas.ts'
import { candidateView, otherTrackView, pictureChapterView, subtitleTrackView } from './subtitles.view.ts'

/** Players must revalidate, so that edits of a subtitle file are visible at once. */
const CACHE_CONTROL = 'private, no-cache'

/** Text subtitles and chapters of an item. */
export const subtitleRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/subtitles',
    config: { access: 'user', reveals: 'items' },
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
    config: { access: 'user', reveals: 'items', surface: 'subtitle_search' },
    schema: { params: IdParameters, querystring: SubtitleSearchQuery, response: { 200: SubtitleCandidates } },
    handler: async ({ params, query }) => {
      const languages = (query.lang ?? '').split(',').filter((language) => language !== '')
      const { candidates, failed, asked } = await searchSubtitles(services, { itemId: params.id, languages })
      return {
        candidates: candidates.map(candidateView),
        ...(asked === 0 && { message: 'No subtitle provider is configured.' }),
        ...(failed.length > 0 && { message: `No answer from ${failed.join(', ')}.` }),
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/subtitles/download',
    config: { access: 'user', reveals: 'items', surface: 'subtitle_download' },
    schema: { params: IdParameters, body: DownloadBody, response: { 200: DownloadedTrack } },
    handler: async (request) => {
      const { params, body } = request
      const { id, isAdmin } = signedInAccount(request)
      const track = await downloadSubtitle(services, {
        itemId: params.id,
        provider: body.provider,
        downloadId: body.downloadId,
        language: body.language ?? '',
        title: body.releaseName ?? null,
        isHearingImpaired: body.hearingImpaired === true,
        account: { id, isAdmin },
      })
      return { track: { ...subtitleTrackView(params.id, track, services.signer), stream_id: track.id } }
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/subtitles/external/:stream',
    config: { access: 'user', reveals: 'items' },
    schema: { params: ExternalParameters },
    handler: async ({ params }, reply) => {
      const item = await getItem(services, params.id)
      const track = (await listSubtitleTracks(services, item)).find(({ id }) => id === params.stream)
      if (track === undefined) throw subtitleErrors.subtitle_not_found()
      const text = await readItemSubtitle(services, { item, index: track.index })
      return reply.type(contentTypeOfFile('subtitles.vtt')).header('cache-control', CACHE_CONTROL).send(text)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/subtitles/external/:stream',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: ExternalParameters },
    handler: async ({ params }, reply) => {
      await removeDownloadedSubtitle(services, { itemId: params.id, trackId: params.stream })
      return reply.code(204).send()
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/subtitles/:index',
    config: {
      access: 'signed',
      reveals: 'items',
      signedResource: ({ id = '', index = '' }) => subtitleResource({ itemId: id, index }),
    },
    schema: { params: SubtitleParameters },
    handler: async (request, reply) => {
      const index = parseTrackIndex(request.params.index)
      const item = await getItem(services, request.params.id)
      const text = await readItemSubtitle(services, { item, index })
      return reply.type(contentTypeOfFile('subtitles.vtt')).header('cache-control', CACHE_CONTROL).send(text)
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/chapters',
    config: { access: 'user', reveals: 'items' },
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
