import type { SignedInAccount } from '../../../core/accounts/index.ts'
import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { getItem } from '../../../core/catalogue/index.ts'
import { matchItemAndSyncBoxSet } from '../../../core/collections/index.ts'
import { choosePoster, editItem, listPosters, searchMatches } from '../../../core/metadata/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { appliedMatchView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { FreeObject, IdParameters } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { mediaDetail } from '../media/media-detail.ts'
import { MediaItemDetail } from '../media/media.schemas.ts'
import { ApplyBody, ApplyReply, MatchQuery, MatchSearchReply, PosterBody, PostersReply } from './matching.schemas.ts'
import { matchSearchView, posterView } from './matching.view.ts'

/** Manual matching of an item. */
export const matchingRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/match/search',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, querystring: MatchQuery, response: { 200: MatchSearchReply } },
    handler: async ({ params, query }) =>
      matchSearchView(await searchMatches(services, { itemId: params.id, ...query })),
  })

  app.route({
    method: 'POST',
    url: '/:id/match/apply',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: ApplyBody, response: { 200: ApplyReply } },
    handler: async (request) => {
      const { tmdb_id: tmdbId, type } = request.body
      const applied = await matchItemAndSyncBoxSet(services, { itemId: request.params.id, tmdbId, type })
      const { item } = await showItem(services, applied.itemId, signedInAccount(request))
      return { item, applied: appliedMatchView(applied) }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/posters',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: PostersReply } },
    handler: async ({ params: { id } }) => {
      const posters = await listPosters(services, id)
      const addresses = await readArtworkAddresses(services, { itemIds: [id] })
      return { candidates: posters.map(posterView), current_poster_url: addresses.get(id)?.poster?.url ?? null }
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id/poster',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: PosterBody, response: { 200: MediaItemDetail } },
    handler: async (request) => {
      const { id } = request.params
      await choosePoster(services, { itemId: id, posterUrl: request.body.poster_url })
      return showItem(services, id, signedInAccount(request))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/:id/metadata',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: FreeObject, response: { 200: MediaItemDetail } },
    handler: async (request) => {
      const { id } = request.params
      await editItem(services, { itemId: id, part: request.body })
      return showItem(services, id, signedInAccount(request))
    },
  })
}

async function showItem(services: SigningServices, itemId: string, reader: SignedInAccount) {
  return mediaDetail(services, { item: await getItem(services, itemId), reader })
}
