import type { SignedInAccount } from '../../../core/accounts/index.ts'
import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { listContinueListening } from '../../../core/audiobooks/index.ts'
import { listContinueReading } from '../../../core/books/index.ts'
import { listItems } from '../../../core/catalogue/index.ts'
import { listLibraries } from '../../../core/libraries/index.ts'
import { listContinueWatching, listNextUp } from '../../../core/playback/index.ts'
import { recommendItems } from '../../../core/recommendations/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { listFavourites } from '../../../core/user-items/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { createPathFormatter, type FormatPath } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { continueWatchingView, nextUpView } from '../continue-watching/playback-lists.view.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { viewerRows } from '../media/viewer-rows.ts'
import { recommendationsView } from '../recommendations/recommendations.view.ts'
import { favouritesView } from '../user-items/user-items.view.ts'
import { Home, HomeQuery } from './home.schemas.ts'
import { listeningView, readingView } from './home.view.ts'

const DEFAULT_LIMIT = 12
const MAX_LIMIT = 24

/** Libraries beyond these have no row of new items. */
const MAX_LIBRARIES = 20

type Viewer = {
  rows: MediaRows
  services: SigningServices
  account: SignedInAccount
  showPath: FormatPath
  limit: number
}

const itemOf = <Item>({ item }: { item: Item }): Item => item

/** `GET /api/v1/me/home`: all rows of a start page in one reply, each limited. */
export const homeRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/home',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: HomeQuery, response: { 200: Home } },
      handler: async (request) => {
        const account = signedInAccount(request)
        const limit = Math.min(Math.max(Math.trunc(request.query.limit ?? DEFAULT_LIMIT), 1), MAX_LIMIT)
        const showPath = await createPathFormatter(services, account)
        const viewer = { rows, services, account, showPath, limit }
        // One after the other: a request must not occupy the connections that others wait for.
        return {
          continue_watching: await unfinishedOf(viewer),
          next_up: await nextUpOf(viewer),
          continue_listening: await listeningOf(viewer),
          continue_reading: await readingOf(viewer),
          recently_added: await recentlyAddedOf(viewer),
          favorites: await favouritesOf(viewer),
          recommendations: await recommendationsOf(viewer),
          limit,
        }
      },
    })
  }

async function unfinishedOf({ rows, services, account, showPath, limit }: Viewer) {
  const unfinished = await listContinueWatching(services, { profileId: account.profile.id, limit })
  const listed = await rows.rowsOf(services, unfinished.map(itemOf), { showPath, hasSeriesPosters: true })
  return continueWatchingView(rows, listed, unfinished)
}

async function nextUpOf({ rows, services, account, showPath, limit }: Viewer) {
  const episodes = await listNextUp(services, { profileId: account.profile.id, limit })
  return nextUpView(await rows.rowsOf(services, episodes.map(itemOf), { showPath }), episodes)
}

async function listeningOf({ services, account, limit }: Viewer) {
  const books = await listContinueListening(services, { profileId: account.profile.id, limit })
  const pictures = await readArtworkAddresses(services, { itemIds: books.map(({ id }) => id) })
  return listeningView(books, { pictures, signer: services.signer })
}

async function readingOf({ services, account, showPath, limit }: Viewer) {
  const books = await listContinueReading(services, { profileId: account.profile.id, limit })
  const pictures = await readArtworkAddresses(services, { itemIds: books.map(({ id }) => id) })
  return readingView(books, { pictures, signer: services.signer, showPath })
}

/** The newest items of each library that has any, with the data of the viewer. */
async function recentlyAddedOf({ rows, services, account, limit }: Viewer) {
  const added = []
  for (const { id, name, type } of (await listLibraries(services)).slice(0, MAX_LIBRARIES)) {
    const filter = { libraryId: id, topLevel: true, sort: 'added', order: 'desc', limit }
    const { items } = await listItems(services, filter)
    if (items.length === 0) continue
    const shown = await viewerRows(rows, services, { items, reader: account, include: ['user_data'] })
    added.push({ library: { id, name, type }, items: shown })
  }
  return added
}

async function favouritesOf({ rows, services, account, showPath, limit }: Viewer) {
  const { favourites } = await listFavourites(services, { profileId: account.profile.id, limit })
  return favouritesView(rows, services, { favourites, showPath })
}

async function recommendationsOf({ rows, services, account, limit }: Viewer) {
  return recommendationsView(rows, services, await recommendItems(services, { profileId: account.profile.id, limit }))
}
