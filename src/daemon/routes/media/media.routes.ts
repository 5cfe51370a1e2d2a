import { getItem, listItems } from '../../../core/catalogue/index.ts'
import { readUserData } from '../../../core/user-items/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { MediaItemDetail, MediaList, MediaListQuery } from './media.schemas.ts'
import { mediaDetailView, mediaRowView } from './media.view.ts'

/** The catalogue (document 1, Media catalogue; decisions 3.6). */
export const mediaRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user' },
    schema: { querystring: MediaListQuery, response: { 200: MediaList } },
    handler: async ({ query: { topLevel, ...filter } }) => {
      const isTopLevel = topLevel === '1' || topLevel === 'true'
      const { items, ...page } = await listItems(services, { ...filter, topLevel: isTopLevel })
      return { items: items.map(mediaRowView), ...page }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user' },
    schema: { params: IdParameters, response: { 200: MediaItemDetail } },
    handler: async (request) => {
      const accountId = signedInAccount(request).id
      const item = await getItem(services, request.params.id)
      const userData = await readUserData(services, { accountId, itemId: item.id })
      return mediaDetailView(item, userData, services.signer)
    },
  })
}
