import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import {
  getAudiobook,
  listAudiobooks,
  openAudiobook,
  readProgressVersion,
  readWaveform,
} from '../../../core/audiobooks/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { sendListReply } from '../../http/list-reply-cache.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { AudiobookList, AudiobookListQuery, BookWaveform, ChapterList, OneAudiobook } from './audiobooks.schemas.ts'
import { audiobookRowView, audiobookView, chaptersView, waveformView } from './audiobooks.view.ts'

/** Audiobooks. */
export const audiobookRoutes: RoutePlugin = (app, { services, listReplies }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: AudiobookListQuery, response: { 200: AudiobookList } },
    handler: async (request, reply) => {
      const profileId = requireProfileId(request)
      const reader = `${profileId} ${await readProgressVersion(services, profileId)}`
      return sendListReply(listReplies, { request, reply, reader }, async () => {
        const { library_id: libraryId, ...page } = request.query
        const { audiobooks, ...rest } = await listAudiobooks(services, { ...page, libraryId, profileId })
        const pictures = await readArtworkAddresses(services, { itemIds: audiobooks.map(({ id }) => id) })
        const { signer } = services
        const rows = audiobooks.map((book) => audiobookRowView(book, { picture: pictures.get(book.id), signer }))
        return { audiobooks: rows, ...rest }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneAudiobook } },
    handler: async ({ params: { id } }) => {
      const opened = await openAudiobook(services, { id })
      const pictures = await readArtworkAddresses(services, { itemIds: [opened.book.id] })
      return { audiobook: audiobookView(opened, { picture: pictures.get(opened.book.id), signer: services.signer }) }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/chapters',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ChapterList } },
    handler: async ({ params: { id } }) => {
      const book = await getAudiobook(services, id)
      return { audiobook_id: book.id, chapters: chaptersView(book) }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/waveform',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: BookWaveform, 202: BookWaveform } },
    handler: async ({ params: { id } }, reply) => {
      const waveform = await readWaveform(services, id)
      return reply.code(waveform.points === null ? 202 : 200).send(waveformView(id, waveform))
    },
  })
}
