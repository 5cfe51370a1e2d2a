import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { getAudiobook, openAudiobook, openBookFile } from '../../../core/audiobooks/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { createPageFile } from '../../http/web-pages.ts'
import { requireBandwidthForFile } from '../../http/limit-file-bandwidth.ts'
import { prefersJson } from '../../http/preferred-type.ts'
import { IdParameters, SignatureQuery } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { signerFor } from '../../http/signer-for.ts'
import { ReadAudiobook, StreamQuery } from './audiobooks.schemas.ts'
import { audiobookReadResource, audiobookStreamResource, readAudiobookView } from './audiobooks.view.ts'

/** Same as for films: browsers may cache downloaded ranges during playback. */
const CACHE_CONTROL = 'private, max-age=3600'

/** The player page of an audiobook, and its media files. */
export const audiobookPlayerRoutes: RoutePlugin = (app, { services }) => {
  const page = createPageFile('listen')

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/stream',
    config: {
      access: 'signed',
      reveals: 'items',
      playback: 'item',
      signedResource: ({ id = '' }) => audiobookStreamResource(id),
    },
    schema: { params: IdParameters, querystring: StreamQuery },
    handler: async (request, reply) => {
      const book = await getAudiobook(services, request.params.id)
      const { handle, path, durationSeconds } = await openBookFile(services, { book, part: request.query.part ?? 0 })
      await requireBandwidthForFile(request, { handle, durationSeconds })
      return sendFile(request, reply, { handle, contentType: contentTypeOfFile(path), cacheControl: CACHE_CONTROL })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/read',
    config: {
      access: 'signed',
      reveals: 'items',
      signedResource: ({ id = '' }) => audiobookReadResource(id),
      isPersonal: true,
    },
    schema: { params: IdParameters, querystring: SignatureQuery, response: { 200: ReadAudiobook } },
    handler: async (request, reply) => {
      const opened = await openAudiobook(services, { id: request.params.id, profileId: request.account?.profile.id })
      reply.header('vary', 'Accept')
      if (!prefersJson(request.headers)) return page.send(request, reply)
      const signer = signerFor(request, services.signer)
      const pictures = await readArtworkAddresses(
        { artworkCache: services.artworkCache, signer },
        { itemIds: [opened.book.id] },
      )
      return readAudiobookView(opened, { picture: pictures.get(opened.book.id), signer })
    },
  })
}
