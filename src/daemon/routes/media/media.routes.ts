import { getItem, listItems, removeItem } from '../../../core/catalogue/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { readConditions } from './read-conditions.ts'
import { mediaDetail } from './media-detail.ts'
import type { MediaRows } from './media-rows.ts'
import { MediaItemDetail, MediaList, MediaListQuery } from './media.schemas.ts'
import { viewerRows } from './viewer-rows.ts'

/** The media catalogue. */
export const mediaRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: MediaListQuery, response: { 200: MediaList } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const { include, ...query } = request.query
        const { items, ...page } = await listItems(services, readConditions(query))
        return {
          items: await viewerRows(rows, services, { items, reader: signedInAccount(request), include }),
          ...page,
        }
      },
    })

    app.route({
      method: 'GET',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MediaItemDetail } },
      handler: async (request) => {
        const item = await getItem(services, request.params.id)
        return mediaDetail(services, { item, reader: signedInAccount(request) })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/:id',
      config: { access: 'admin', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await removeItem(services, request.params.id)
        return { message: 'Media item removed' }
      },
    })
  }
