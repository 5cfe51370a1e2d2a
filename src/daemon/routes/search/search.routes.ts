import type { SignedInAccount } from '../../../core/accounts/index.ts'
import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { listItems, normalizeSearch, type ListedItem } from '../../../core/catalogue/index.ts'
import { searchCollections } from '../../../core/collections/index.ts'
import { searchAlbums, searchArtists } from '../../../core/music/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { collectionRowView } from '../collections/collections.view.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { viewerRows } from '../media/viewer-rows.ts'
import { albumView, artistView } from '../music/music.view.ts'
import { SearchResults, SearchQuery } from './search.schemas.ts'

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20

/** The groups of items, by the types of the items. */
const TYPES_OF_GROUP = {
  movies: ['movie', 'video'],
  series: ['series'],
  episodes: ['episode'],
  tracks: ['audio'],
  audiobooks: ['audiobook'],
  books: ['book'],
  photos: ['image'],
} as const satisfies Record<string, readonly string[]>

type ItemGroup = keyof typeof TYPES_OF_GROUP

const ITEM_GROUPS = Object.keys(TYPES_OF_GROUP) as ItemGroup[]

/** Number of similar names that are distributed to the groups when no name contains the words. */
const SIMILAR_NAMES = 100

type Search = { text: string; limit: number }

type Items = { items: ListedItem[]; has_more: boolean }

/** `GET /api/v1/search`: the best matches of each kind in one reply. */
export const searchRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '/search',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: SearchQuery, response: { 200: SearchResults } },
      handler: async (request) => {
        const { q, limit: wanted = DEFAULT_LIMIT } = request.query
        const text = normalizeSearch(q)
        if (text === undefined) throw httpErrors.invalid_request({ message: 'q is required', details: { field: 'q' } })
        const search = { text, limit: Math.min(Math.max(Math.trunc(wanted), 1), MAX_LIMIT) }
        const named = {
          artists: await artistsOf(services, search),
          albums: await albumsOf(services, search),
          collections: await collectionsOf(services, search),
        }
        const isNamed = Object.values(named).some(({ items }) => items.length > 0)
        const groups = await findItemGroups(services, search, isNamed)
        const account = signedInAccount(request)
        return {
          query: q?.trim() ?? '',
          limit: search.limit,
          ...(await shownGroups(rows, services, { groups, account })),
          ...named,
        }
      },
    })
  }

/** Items of each group whose names contain the words; if there is nothing of any kind, items with similar names. */
async function findItemGroups(
  services: Pick<SigningServices, 'catalogueCache'>,
  { text, limit }: Search,
  isNamed: boolean,
): Promise<Record<ItemGroup, Items>> {
  const groups = emptyGroups()
  let isFound = isNamed
  for (const group of ITEM_GROUPS) {
    const filter = { search: text, types: TYPES_OF_GROUP[group], findsSimilar: false, limit }
    const { items, total } = await listItems(services, filter)
    groups[group] = { items, has_more: total > limit }
    isFound ||= items.length > 0
  }
  if (isFound) return groups
  const { items } = await listItems(services, { search: text, limit: SIMILAR_NAMES })
  for (const group of ITEM_GROUPS) {
    const types: readonly string[] = TYPES_OF_GROUP[group]
    const similar = items.filter(({ type }) => types.includes(type))
    groups[group] = { items: similar.slice(0, limit), has_more: similar.length > limit }
  }
  return groups
}

function emptyGroups(): Record<ItemGroup, Items> {
  const none = { items: [], has_more: false }
  return { movies: none, series: none, episodes: none, tracks: none, audiobooks: none, books: none, photos: none }
}

/** The rows of all groups; the data of the viewer are read once. */
async function shownGroups(
  rows: MediaRows,
  services: SigningServices,
  { groups, account }: { groups: Record<ItemGroup, Items>; account: SignedInAccount },
) {
  const all = ITEM_GROUPS.flatMap((group) => groups[group].items)
  const shown = await viewerRows(rows, services, { items: all, reader: account, include: ['user_data'] })
  const rowOf = new Map(shown.map((row) => [row.id, row]))
  const groupOf = (group: ItemGroup) => ({
    items: groups[group].items.flatMap(({ id }) => rowOf.get(id) ?? []),
    has_more: groups[group].has_more,
  })
  return {
    movies: groupOf('movies'),
    series: groupOf('series'),
    episodes: groupOf('episodes'),
    tracks: groupOf('tracks'),
    audiobooks: groupOf('audiobooks'),
    books: groupOf('books'),
    photos: groupOf('photos'),
  }
}

async function artistsOf(services: SigningServices, { text, limit }: Search) {
  const rows = await searchArtists(services, { text, limit: limit + 1 })
  const artists = rows.slice(0, limit)
  const pictures = await readArtworkAddresses(services, { itemIds: artists.flatMap(({ pictureIds }) => pictureIds) })
  return { items: artists.map((artist) => artistView(artist, pictures)), has_more: rows.length > limit }
}

async function albumsOf(services: SigningServices, { text, limit }: Search) {
  const rows = await searchAlbums(services, { text, limit: limit + 1 })
  const albums = rows.slice(0, limit)
  const pictures = await readArtworkAddresses(services, { itemIds: albums.map(({ id }) => id) })
  return { items: albums.map((album) => albumView(album, pictures, services.signer)), has_more: rows.length > limit }
}

async function collectionsOf(services: SigningServices, { text, limit }: Search) {
  const rows = await searchCollections(services, { text, limit: limit + 1 })
  return { items: rows.slice(0, limit).map(collectionRowView), has_more: rows.length > limit }
}
