import { basename } from 'node:path'
import { artworkErrors, renderArtwork, readArtworkAddresses } from '../../../core/artwork/index.ts'
import { findReadingPosition, getBook, openBook } from '../../../core/books/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import { attachmentHeader } from '../../http/attachment-header.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, SignatureQuery } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signerFor } from '../../http/signer-for.ts'
import { ReadBook } from './books.schemas.ts'
import { bookUrlPath, readBookView } from './books.view.ts'

/** Books are downloaded once, and the URL does not change with the file: clients must revalidate. */
const CACHE_CONTROL = 'private, no-cache'
const COVER_WIDTH = 640

/** The cover of a book, its file and the reader's data; all of them also by signed URL. */
export const bookFileRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/cover',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => bookUrlPath(id, 'cover') },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      const { id } = await getBook(services, request.params.id)
      const address = (await readArtworkAddresses(services, { itemIds: [id] })).get(id)?.poster?.url
      const picture = await renderArtwork(services, { id: pictureIn(address), width: COVER_WIDTH })
      return sendPicture(request, reply, { picture, cacheControl: CACHE_CONTROL })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/download',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => bookUrlPath(id, 'download') },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      const { handle, path } = await openBook(services, request.params.id)
      reply.header('content-disposition', attachmentHeader(basename(path)))
      return sendFile(request, reply, { handle, contentType: contentTypeOfFile(path), cacheControl: CACHE_CONTROL })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/read',
    config: {
      access: 'signed',
      reveals: 'items',
      signedResource: ({ id = '' }) => bookUrlPath(id, 'read'),
      isPersonal: true,
    },
    schema: { params: IdParameters, querystring: SignatureQuery, response: { 200: ReadBook } },
    handler: async (request) => {
      const { account } = request
      const book = await getBook(services, request.params.id)
      // A signature does not identify a user, so there is no reading position.
      const place =
        account === null
          ? undefined
          : await findReadingPosition(services, { bookId: book.id, profileId: account.profile.id })
      const signer = signerFor(request, services.signer)
      const pictures = await readArtworkAddresses(
        { artworkCache: services.artworkCache, signer },
        { itemIds: [book.id] },
      )
      return readBookView(book, place, {
        picture: pictures.get(book.id),
        signer,
        showPath: await createPathFormatter(services, account),
      })
    },
  })
}

/**
 * Returns the artwork id of a picture URL.
 * @throws AppError `artwork_not_found` when there is none
 */
function pictureIn(address: string | undefined): string {
  const id = address?.replace(/\?.*$/, '').split('/').at(-1)
  if (id === undefined) throw artworkErrors.artwork_not_found()
  return id
}
