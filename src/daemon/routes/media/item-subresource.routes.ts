import { findMissingEpisodes, findNextEpisode, findSimilarItems, getItem } from '../../../core/catalogue/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from './media-rows.ts'
import { LimitQuery, MissingEpisodes, NextEpisode, SimilarItems } from './item-subresource.schemas.ts'
import { missingEpisodesView, similarItemsView } from './item-subresource.view.ts'

/** The similar items of an item, its missing episodes, the episode after it, and the URL of its file. */
export const itemSubresourceRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/:id/similar',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, querystring: LimitQuery, response: { 200: SimilarItems } },
      handler: async ({ params, query }) => {
        const item = await getItem(services, params.id)
        const similar = await findSimilarItems(services, { item, ...query })
        return { items: await similarItemsView(rows, services, similar) }
      },
    })

    app.route({
      method: 'GET',
      url: '/:id/missing-episodes',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MissingEpisodes } },
      handler: async ({ params }) => {
        const { id } = await getItem(services, params.id)
        return missingEpisodesView(await findMissingEpisodes(services, id))
      },
    })

    app.route({
      method: 'GET',
      url: '/:id/next',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: NextEpisode } },
      handler: async (request) => {
        const next = await findNextEpisode(services, request.params.id)
        if (next === undefined) return { item: null }
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return { item: (await rows.rowsOf(services, [next], { showPath }))[0] ?? null }
      },
    })
  }
