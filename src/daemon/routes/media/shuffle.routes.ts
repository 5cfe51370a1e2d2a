import { shuffleItem } from '../../../core/catalogue/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { ShuffledItems, ShuffleBody } from './item-subresource.schemas.ts'
import { pluralize } from '../../../core/platform/errors/index.ts'

/** `POST /api/v1/shuffle`: returns a random order; nothing is stored. */
export const shuffleRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { body: ShuffleBody, response: { 200: ShuffledItems } },
    handler: async ({ body }) => {
      const ids = await shuffleItem(services, body.media_id)
      return { shuffled_ids: ids, mode: 'shuffle', message: `${pluralize(ids.length, 'item')} shuffled` }
    },
  })
}
