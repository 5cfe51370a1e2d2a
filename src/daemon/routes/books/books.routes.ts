import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { getBook, listBooks } from '../../../core/books/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { sendListReply } from '../../http/list-reply-cache.ts'
import { IdParameters } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { BookList, BookListQuery, OneBook } from './books.schemas.ts'
import { bookRowView, bookView } from './books.view.ts'

/** Books and comics. */
export const bookRoutes: RoutePlugin = (app, { services, listReplies }) => {
  const { signer } = services

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: BookListQuery, response: { 200: BookList } },
    handler: (request, reply) => {
      const account = signedInAccount(request)
      const reader = account.isAdmin ? 'administrator' : 'user'
      return sendListReply(listReplies, { request, reply, reader }, async () => {
        const showPath = await createPathFormatter(services, account)
        const { library_id: libraryId, ...page } = request.query
        const { books, ...rest } = await listBooks(services, { ...page, libraryId })
        const pictures = await readArtworkAddresses(services, { itemIds: books.map(({ id }) => id) })
        const rows = books.map((book) => bookRowView(book, { picture: pictures.get(book.id), signer, showPath }))
        return { books: rows, ...rest }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneBook } },
    handler: async (request) => {
      const book = await getBook(services, request.params.id)
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const pictures = await readArtworkAddresses(services, { itemIds: [book.id] })
      return { book: bookView(book, { picture: pictures.get(book.id), signer, showPath }) }
    },
  })
}
