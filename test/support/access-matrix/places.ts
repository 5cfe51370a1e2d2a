import type { DeclaredRoute } from '../../../src/daemon/http/app-types.ts'
import { nameOf } from './replies.ts'
import type { Hidden } from './real-world.ts'

/** What stands for the parameters of a route. The first one names what is hidden; the others complete the address. */
export type Place = {
  hidden: keyof Hidden | 'session' | 'request' | 'player' | 'group' | 'share'
  others?: Record<string, string>
}

/** By the beginning of the address; the longest one counts. A route with a parameter and without a place fails the test. */
const PLACES: Readonly<Record<string, Place>> = {
  '/api/v1/media/:id': { hidden: 'film' },
  '/api/v1/media/:id/missing-episodes': { hidden: 'series' },
  '/api/v1/shows/:id': { hidden: 'series' },
  '/media/:id': { hidden: 'film' },
  '/trickplay/:id': { hidden: 'film', others: { ':file': 'index.xml' } },
  '/api/v1/libraries/:id': { hidden: 'libraryId' },
  '/stream/theme-media/:libraryId': { hidden: 'libraryId' },
  '/api/v1/collections/:id': { hidden: 'collectionId' },
  '/api/v1/collections/:id/refresh': { hidden: 'smartCollectionId' },
  '/api/v1/playlists/:id': { hidden: 'collectionId' },
  '/api/v1/smart-playlists/:id': { hidden: 'playlistId' },
  '/api/v1/books/:id': { hidden: 'book' },
  '/api/v1/audiobooks/:id': { hidden: 'audiobook' },
  '/api/v1/artwork/:id': { hidden: 'picture' },
  '/api/v1/photo/timeline/:month': { hidden: 'month' },
  '/api/v1/photo/photos/:id': { hidden: 'photo' },
  '/api/v1/photo/albums/:id': { hidden: 'day' },
  '/api/v1/music/artists/:mbid': { hidden: 'artist' },
  '/api/v1/music/albums/:mbid': { hidden: 'album' },
  '/api/v1/music/tracks/:id': { hidden: 'track' },
  '/api/v1/transcode/:jobId': { hidden: 'jobId' },
  '/hls/:jobId': { hidden: 'jobId', others: { ':file': 'master.m3u8' } },
  '/dash/:jobId': { hidden: 'jobId', others: { ':file': 'manifest.mpd' } },
  '/api/v1/me/history/:id': { hidden: 'film' },
  '/api/v1/users/me/history/:id': { hidden: 'film' },
  '/api/v1/me/recommendations/:id': { hidden: 'film' },
  '/api/v1/sessions/:id': { hidden: 'session' },
  '/api/v1/me/requests/:id': { hidden: 'request' },
  '/api/v1/me/players/:id': { hidden: 'player' },
  '/api/v1/syncplay/groups/:id': { hidden: 'group' },
  '/api/v1/me/shares/:id': { hidden: 'share' },
}

/** Of parameters after the first. */
const OTHERS: Readonly<Record<string, keyof Hidden | { text: string }>> = {
  ':index': { text: '0' },
  ':number': { text: '0' },
  ':stream': 'subtitle',
  ':quality': 'rung',
  ':itemId': 'openFilm',
}

/** Bodies with which a request succeeds. */
const BODIES: Readonly<Record<string, (items: Pick<Hidden, 'openFilm'>) => object>> = {
  'PUT /api/v1/media/:id/rating': () => ({ rating: 5 }),
  'POST /api/v1/media/:id/ratings': () => ({ score: 5 }),
  'PUT /api/v1/media/:id/like': () => ({ level: 1 }),
  'POST /api/v1/media/:id/subtitles/download': () => ({ provider: 'x', downloadId: 'y' }),
  'POST /api/v1/audiobooks/:id/progress': () => ({ position_ms: 1, current_chapter_index: 0 }),
  'POST /api/v1/books/:id/progress': () => ({ current_page: 1 }),
  'PUT /api/v1/collections/:id': () => ({ name: 'renamed' }),
  'POST /api/v1/playlists/:id/items': ({ openFilm }) => ({ media_id: openFilm }),
  'POST /api/v1/collections/:id/bulk-add': ({ openFilm }) => ({ media_item_ids: [openFilm] }),
  'PUT /api/v1/smart-playlists/:id': () => ({ name: 'renamed' }),
  'POST /api/v1/me/players/:id/command': () => ({ command: 'pause' }),
  'POST /api/v1/sessions/:id/progress': ({ openFilm }) => ({ media_item_id: openFilm, position_ticks: 1 }),
  'POST /api/v1/sessions/:id/complete': ({ openFilm }) => ({ media_item_id: openFilm }),
}

/** Queries with which a request succeeds. */
const QUERIES: Readonly<Record<string, (hidden: Hidden) => string>> = {
  'POST /api/v1/media/:id/download': ({ rung }) => `?quality=${rung}`,
  'DELETE /api/v1/media/:id/download': ({ rung }) => `?quality=${rung}`,
}

/** The body with which a route succeeds; undefined for an empty one. */
export const bodyOf = (
  route: Pick<DeclaredRoute, 'method' | 'url'>,
  items: Pick<Hidden, 'openFilm'>,
): object | undefined => BODIES[nameOf(route)]?.(items)

/** What an address asks for; undefined for a route without a place. */
export function placeOf({ url }: Pick<DeclaredRoute, 'url'>): Place | undefined {
  const [longest] = Object.keys(PLACES)
    .filter((start) => url === start || url.startsWith(`${start}/`))
    .toSorted((one, other) => other.length - one.length)
  return longest === undefined ? undefined : PLACES[longest]
}

/** A request of a route: the first parameter is `value`. Undefined if another parameter has nothing that stands for it. */
export function requestOf(
  route: DeclaredRoute,
  { place, value, hidden }: { place: Place; value: string; hidden: Hidden },
): { method: string; path: string; body: object | undefined } | undefined {
  const names = [...route.url.matchAll(/:\w+/g)].map(([name]) => name)
  let path = route.url
  for (const [at, name] of names.entries()) {
    const other = OTHERS[name]
    const text = at === 0 ? value : (place.others?.[name] ?? (typeof other === 'string' ? hidden[other] : other?.text))
    if (text === undefined) return undefined
    path = path.replace(name, encodeURIComponent(text))
  }
  const query = QUERIES[nameOf(route)]?.(hidden) ?? ''
  return { method: route.method, path: `${path}${query}`, body: bodyOf(route, hidden) }
}
