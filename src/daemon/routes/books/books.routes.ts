import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { getBook, listBooks } from '../../../core/books/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { answerPage } from '../../http/page-cache.ts'
import { IdParameters } from '../../http/schemas.ts'
import { BookList, BookListQuery, OneBook } from './books.schemas.ts'
import { bookRowView, bookView } from './books.view.ts'

/** Books and comics (document 4, 9). */
export const bookRoutes: RoutePlugin = (app, { services, pages }) => {
  const { signer } = services

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user' },
    schema: { querystring: BookListQuery, response: { 200: BookList } },
    handler: (request, reply) =>
      answerPage(pages, { request, reply }, async () => {
        const { library_id: libraryId, ...page } = request.query
        const { books, ...rest } = await listBooks(services, { ...page, libraryId })
        const pictures = await readArtworkAddresses(services, { itemIds: books.map(({ id }) => id) })
        return { books: books.map((book) => bookRowView(book, { picture: pictures.get(book.id), signer })), ...rest }
      }),
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: OneBook } },
    handler: async ({ params: { id } }) => {
      const book = await getBook(services, id)
      const pictures = await readArtworkAddresses(services, { itemIds: [book.id] })
      return { book: bookView(book, { picture: pictures.get(book.id), signer }) }
    },
  })
}
