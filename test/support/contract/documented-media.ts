import { ERROR, MESSAGE, PAGE, type DocumentedRow } from './documented.ts'
import { UNKNOWN, type Filled } from './filled-server.ts'
import type { Shape } from './shapes.ts'

/** A media item in a list. */
const ROW = {
  id: 'uuid',
  library_id: 'uuid',
  name: 'string',
  type: 'string',
  sort_title: 'string',
  path: 'string|null',
  poster_url: 'address|null',
  poster_srcset: 'string|null',
  backdrop_url: 'address|null',
  backdrop_srcset: 'string|null',
  genres: 'strings',
  year: 'integer|null',
  rating: 'string|null',
  runtime: 'integer|null',
  duration: 'integer|null',
  overview: 'string|null',
  actors: 'strings',
  director: 'string|null',
  parent_id: 'uuid|null',
  season_number: 'integer|null',
  episode_number: 'integer|null',
  episode_title: 'string|null',
  air_date: 'string|null',
  artist: 'string|null',
  album: 'string|null',
  created_at: 'time',
  updated_at: 'time',
} as const satisfies Shape

const USER_DATA: Shape = { favorite: 'boolean', rating: 'integer|null', like_level: 'integer', watched: 'boolean' }

const PERSON = { name: 'string', profile_url: 'string|null' } as const

/** The detail of a media item. */
export const ITEM_DETAIL = {
  ...ROW,
  series_id: 'uuid|null',
  series_name: 'string|null',
  series_title: 'string|null',
  original_title: 'string|null',
  tagline: 'string|null',
  release_date: 'string|null',
  vote_average: 'number|null',
  vote_count: 'integer|null',
  cast: [{ ...PERSON, role: 'string|null' }],
  crew: 'list',
  tags: 'strings',
  production_companies: 'list',
  studio: 'string|null',
  backdrop_url_large: 'address|null',
  logo_url: 'address|null',
  theme_audio_url: 'address|null',
  trailer_url: 'string|null',
  trailer_key: 'string|null',
  trailer_site: 'string|null',
  external_ids: 'object',
  container: 'string|null',
  bitrate: 'integer|null',
  probe_error: 'string|null',
  stream_url: 'address|null',
  streams: 'list',
  metadata: 'object',
  'files?': 'list',
  user_data: USER_DATA,
} as const satisfies Shape

const MEDIA_LIST: Shape = { items: [ROW], total: 'integer', ...PAGE }
const UNFINISHED: Shape = {
  ...ROW,
  media_item_id: 'uuid',
  position_ticks: 'integer',
  duration_ticks: 'integer|null',
  playback_status: 'string',
  metadata: 'object',
}

/** Media catalogue. */
export function mediaRows({ film, series, libraryId }: Filled): DocumentedRow[] {
  const unauthenticated = { as: 'anonymous', status: 401, answer: ERROR } as const
  return [
    { ask: 'GET /media', status: 200, answer: MEDIA_LIST },
    {
      ask: `GET /media?libraryId=${libraryId}&topLevel=1&sort=year&order=desc&limit=5`,
      status: 200,
      answer: MEDIA_LIST,
    },
    { ask: `GET /media?parentId=${series}`, status: 200, answer: MEDIA_LIST },
    { ask: 'GET /media?search=alpha&genres[]=Drama&yearFrom=1990&yearTo=2000', status: 200, answer: MEDIA_LIST },
    { ask: 'GET /media?ratings[]=PG-13&actors[]=Ada%20Ames', status: 200, answer: MEDIA_LIST },
    { ask: `GET /media?parentId=${series}&topLevel=1`, status: 400, answer: ERROR },
    { ask: 'GET /media?libraryId=x', status: 400, answer: ERROR },
    { ask: 'GET /media', ...unauthenticated },
    { ask: `GET /media/${film}`, status: 200, answer: { ...ITEM_DETAIL, item: ITEM_DETAIL } },
    { ask: `GET /media/${film}`, as: 'admin', status: 200, answer: { ...ITEM_DETAIL, item: ITEM_DETAIL } },
    { ask: `GET /media/${UNKNOWN}`, status: 404, answer: ERROR },
    { ask: `GET /media/${film}`, ...unauthenticated },
    { ask: 'GET /media/most-watched', status: 200, answer: MEDIA_LIST },
    { ask: 'GET /media/most-watched', ...unauthenticated },
    { ask: `POST /media/${film}/favorite`, status: 200, answer: MESSAGE },
    { ask: `POST /media/${UNKNOWN}/favorite`, status: 404, answer: ERROR },
    { ask: `POST /media/${film}/favorite`, ...unauthenticated },
    { ask: `DELETE /media/${film}/favorite`, status: 200, answer: MESSAGE },
    { ask: `DELETE /media/${film}/favorite`, ...unauthenticated },
    { ask: `PUT /media/${film}/rating`, body: { rating: 7 }, status: 200, answer: MESSAGE },
    { ask: `PUT /media/${film}/rating`, body: { rating: null }, status: 200, answer: MESSAGE },
    { ask: `PUT /media/${film}/rating`, body: { rating: 11 }, status: 400, answer: ERROR },
    { ask: `PUT /media/${film}/rating`, body: { rating: 'good' }, status: 400, answer: ERROR },
    { ask: `PUT /media/${UNKNOWN}/rating`, body: { rating: 7 }, status: 404, answer: ERROR },
    { ask: `PUT /media/${film}/rating`, body: { rating: 7 }, ...unauthenticated },
    { ask: `DELETE /media/${film}/rating`, status: 200, answer: MESSAGE },
    { ask: `DELETE /media/${film}/rating`, ...unauthenticated },
    { ask: `PUT /media/${film}/like`, body: { level: -2 }, status: 200, answer: MESSAGE },
    { ask: `PUT /media/${film}/like`, body: {}, status: 400, answer: { error: 'string' } },
    { ask: `PUT /media/${film}/like`, body: { level: 3 }, status: 400, answer: { error: 'string', code: 'string' } },
    { ask: `PUT /media/${UNKNOWN}/like`, body: { level: 1 }, status: 404, answer: ERROR },
    { ask: `PUT /media/${film}/like`, body: { level: 1 }, ...unauthenticated },
    { ask: 'GET /users/me/favorites', status: 200, answer: { items: [{ ...ROW, user_data: USER_DATA }], ...PAGE } },
    { ask: 'GET /users/me/favorites', ...unauthenticated },
    ...['/users/me/continue-watching', '/me/continue-watching'].flatMap((path): DocumentedRow[] => [
      { ask: `GET ${path}`, status: 200, answer: { items: [UNFINISHED] } },
      { ask: `GET ${path}`, ...unauthenticated },
    ]),
  ]
}
