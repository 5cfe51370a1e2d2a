import { dismissRecommendation, recommendItems } from '../../../core/recommendations/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { LimitQuery } from '../media/item-subresource.schemas.ts'
import { Recommendations } from './recommendations.schemas.ts'
import { recommendationsView } from './recommendations.view.ts'

/** Recommendations for the user. */
export const recommendationRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: LimitQuery, response: { 200: Recommendations } },
      handler: async (request) => {
        const recommendations = await recommendItems(services, {
          profileId: requireProfileId(request),
          ...request.query,
        })
        return { recommendations: await recommendationsView(rows, services, recommendations) }
      },
    })

    app.route({
      method: 'DELETE',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await dismissRecommendation(services, { profileId: requireProfileId(request), itemId: request.params.id })
        return { message: 'Recommendation dismissed' }
      },
    })
  }
