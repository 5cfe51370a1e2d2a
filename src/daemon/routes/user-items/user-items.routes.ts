import type { FastifyRequest } from 'fastify'
import { markWatchedManually } from '../../../core/playback/index.ts'
import type { Services } from '../../../core/services.ts'
import {
  listFavourites,
  listScores,
  markUnwatched,
  rateItem,
  setFavourite,
  setLikeLevel,
  type UserItemKey,
} from '../../../core/user-items/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply, PageQuery } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { requireProfileId, signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { sendLikeError } from './like-errors.ts'
import { FavouriteList, ItemRatings, LikeBody, RatingBody, ScoreBody } from './user-items.schemas.ts'
import { favouritesView, itemRatingsView } from './user-items.view.ts'

type MarkRoute = {
  method: 'POST' | 'DELETE'
  url: string
  set: (services: Services, key: UserItemKey) => Promise<void>
  message: string
}

/** Actions on an item that need no body; a body is ignored. */
const MARK_ROUTES: readonly MarkRoute[] = [
  {
    method: 'POST',
    url: '/:id/favorite',
    set: (services, key) => setFavourite(services, { ...key, isFavourite: true }),
    message: 'Added to favorites',
  },
  {
    method: 'DELETE',
    url: '/:id/favorite',
    set: (services, key) => setFavourite(services, { ...key, isFavourite: false }),
    message: 'Removed from favorites',
  },
  {
    method: 'DELETE',
    url: '/:id/rating',
    set: (services, key) => rateItem(services, { ...key, rating: null }),
    message: 'Rating removed',
  },
  {
    method: 'DELETE',
    url: '/:id/ratings',
    set: (services, key) => rateItem(services, { ...key, rating: null }),
    message: 'Rating removed',
  },
  { method: 'POST', url: '/:id/watched', set: markWatchedManually, message: 'Marked as watched' },
  { method: 'POST', url: '/:id/unwatched', set: markUnwatched, message: 'Marked as unwatched' },
]

/**
 * Ratings, likes, favourites and watched states of the user. The body is validated before the item is looked up: an invalid body for an
 * unknown item is answered with 400.
 */
export const userItemRoutes: RoutePlugin = (app, { services }) => {
  for (const { method, url, set, message } of MARK_ROUTES) {
    app.route({
      method,
      url,
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await set(services, keyOf(request))
        return { message }
      },
    })
  }

  app.route({
    method: 'PUT',
    url: '/:id/rating',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: RatingBody, response: { 200: MessageReply } },
    handler: async (request) => {
      const { rating } = request.body
      await rateItem(services, { ...keyOf(request), rating })
      return { message: rating === null ? 'Rating removed' : 'Rating saved' }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/ratings',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ItemRatings } },
    handler: async ({ params: { id } }) => itemRatingsView(id, await listScores(services, id)),
  })

  app.route({
    method: 'POST',
    url: '/:id/ratings',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: ScoreBody, response: { 200: MessageReply } },
    handler: async (request) => {
      const { score } = request.body
      await rateItem(services, { ...keyOf(request), rating: score, field: 'score' })
      return { message: score === null ? 'Rating removed' : 'Rating saved' }
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id/like',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: LikeBody, response: { 200: MessageReply } },
    errorHandler: sendLikeError,
    handler: async (request) => {
      await setLikeLevel(services, { ...keyOf(request), level: levelOf(request.body) })
      return { message: 'Like level saved' }
    },
  })
}

/** `GET /api/v1/users/me/favorites`: without a total, as the API requires. */
export const favouriteListRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/favorites',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: PageQuery, response: { 200: FavouriteList } },
      serializerCompiler: rows.compileList,
      handler: async (request) => {
        const account = signedInAccount(request)
        const { favourites, ...page } = await listFavourites(services, {
          profileId: account.profile.id,
          ...request.query,
        })
        const showPath = await createPathFormatter(services, account)
        return { items: await favouritesView(rows, services, { favourites, showPath }), ...page }
      },
    })
  }

function keyOf(request: FastifyRequest<{ Params: { id: string } }>): UserItemKey {
  return { profileId: requireProfileId(request), itemId: request.params.id }
}

/** The level in a body of any form; undefined if there is none. */
function levelOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'level' in body ? body.level : undefined
}
