import { UNKNOWN, type Filled } from './filled-server.ts'
import type { Shape } from './shapes.ts'

/** A request and what document 1 says about its answer; without `as` by a user, and `body` is sent as JSON. */
export type DocumentedRow = {
  ask: string
  as?: 'admin' | 'nobody'
  body?: unknown
  headers?: Record<string, string>
  status: number
  /** Of the JSON; text: the content type. */
  answer: Shape | { type: RegExp }
}

const ERROR: Shape = { error: 'string', code: 'string', 'message?': 'string', 'field?': 'string' }
const MESSAGE: Shape = { message: 'string' }

/** Document 1, Media item (list row), with what document 4, 2.2 adds. */
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

/** Document 4, 2.3. */
const DETAIL = {
  ...ROW,
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

const PAGE = { limit: 'integer', offset: 'integer' } as const
const MEDIA_LIST: Shape = { items: [ROW], total: 'integer', ...PAGE }
const UNFINISHED: Shape = {
  ...ROW,
  media_item_id: 'uuid',
  position_ticks: 'integer',
  duration_ticks: 'integer|null',
  playback_status: 'string',
  metadata: 'object',
}

function mediaRows({ film, series, libraryId }: Filled): DocumentedRow[] {
  const unauthenticated = { as: 'nobody', status: 401, answer: ERROR } as const
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
    { ask: `GET /media/${film}`, status: 200, answer: { ...DETAIL, item: DETAIL } },
    { ask: `GET /media/${film}`, as: 'admin', status: 200, answer: { ...DETAIL, item: DETAIL } },
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

const TOLD = { 'genres?': 'strings', 'release_date?': 'string', 'external_ids?': 'object' } as const

const TRACK: Shape = {
  id: 'uuid|null',
  name: 'string',
  artist: 'string|null',
  album: 'string|null',
  album_artist: 'string|null',
  year: 'integer|null',
  genre: 'null',
  track_number: 'integer|null',
  disc_number: 'integer|null',
  duration_secs: 'integer|null',
  composer: 'null',
  stream_url: 'address',
}

const ALBUM: Shape = {
  name: 'string',
  artist: 'string',
  year: 'integer|null',
  album_art_url: 'address|null',
  track_count: 'integer',
  tracks_truncated: 'boolean',
  tracks: [TRACK],
  ...TOLD,
}

const ARTIST: Shape = {
  name: 'string',
  image_url: 'address|null',
  album_count: 'integer',
  track_count: 'integer',
  albums_truncated: 'boolean',
  albums: 'strings',
  ...TOLD,
}

function musicRows({ song }: Filled): DocumentedRow[] {
  const page = { total: 'integer', ...PAGE } as const
  return [
    { ask: 'GET /music/artists', status: 200, answer: { artists: [ARTIST], ...page } },
    { ask: 'GET /music/artists/oscillator', status: 200, answer: { artist: ARTIST } },
    { ask: 'GET /music/artists/%20', status: 404, answer: ERROR },
    { ask: 'GET /music/artists/', status: 400, answer: ERROR },
    { ask: 'GET /music/artists/nobody', status: 404, answer: ERROR },
    {
      ask: 'GET /music/albums?artist=%20oscillator',
      status: 200,
      answer: { albums: [ALBUM], ...page, artist: 'string' },
    },
    { ask: 'GET /music/albums', status: 200, answer: { albums: [ALBUM], ...page, artist: 'null' } },
    { ask: 'GET /music/albums/WAVES?artist=oscillator', status: 200, answer: { album: ALBUM } },
    { ask: 'GET /music/albums/', status: 400, answer: ERROR },
    { ask: 'GET /music/albums/nothing', status: 404, answer: ERROR },
    { ask: 'GET /music/tracks?limit=1', status: 200, answer: { tracks: [TRACK], ...page } },
    { ask: `GET /music/tracks/${song}`, status: 200, answer: { track: TRACK } },
    { ask: 'GET /music/tracks/', status: 400, answer: ERROR },
    { ask: `GET /music/tracks/${UNKNOWN}`, status: 404, answer: ERROR },
    { ask: 'GET /music/now-playing', status: 200, answer: { now_playing: 'null' } },
    ...['artists', 'artists/a', 'albums', 'albums/a', 'tracks', `tracks/${song}`, 'now-playing'].map(
      (path): DocumentedRow => ({ ask: `GET /music/${path}`, as: 'nobody', status: 401, answer: ERROR }),
    ),
  ]
}

const BOOK = {
  id: 'uuid',
  library_id: 'uuid',
  name: 'string',
  title: 'string',
  author: 'string',
  narrator: 'string',
  series: 'string|null',
  year: 'integer|null',
  duration_secs: 'integer',
  duration_ms: 'integer',
  cover_url: 'address|null',
  stream_url: 'address',
  read_url: 'address',
  metadata: 'object',
} as const satisfies Shape

const CHAPTER: Shape = {
  index: 'integer',
  title: 'string',
  start_ms: 'integer',
  end_ms: 'integer',
  duration_ms: 'integer',
}

const READING = {
  audiobook_id: 'uuid',
  user_id: 'uuid',
  position_ms: 'integer',
  current_chapter_index: 'integer',
  completed_chapters: 'integers',
  percent_complete: 'number',
  last_played_at: 'integer',
} as const satisfies Shape

function audiobookRows({ audiobook }: Filled): DocumentedRow[] {
  const part: Shape = { index: 'integer', start_ms: 'integer', end_ms: 'integer', stream_url: 'address' }
  const place = { position_ms: 10, current_chapter_index: 0 }
  const saved: Shape = { ok: 'boolean', percent_complete: 'number', message: 'string', progress: READING }
  const at = `/audiobooks/${audiobook}`
  const listed: Shape = { ...BOOK, chapter_count: 'integer', progress_percent: 'number' }
  return [
    { ask: 'GET /audiobooks', status: 200, answer: { audiobooks: [listed], ...PAGE } },
    { ask: `GET ${at}`, status: 200, answer: { audiobook: { ...BOOK, chapters: [CHAPTER], parts: [part] } } },
    { ask: `GET ${at}/chapters`, status: 200, answer: { audiobook_id: 'uuid', chapters: [CHAPTER] } },
    { ask: `GET ${at}/progress`, status: 200, answer: { ...READING, progress: READING } },
    { ask: `GET ${at}/progress`, as: 'admin', status: 404, answer: ERROR },
    { ask: `POST ${at}/progress`, body: place, status: 200, answer: saved },
    { ask: `POST ${at}/progress`, body: { position_ms: 'x' }, status: 400, answer: ERROR },
    { ask: `GET ${at}/read`, headers: { accept: 'text/html' }, status: 200, answer: { type: /^text\/html/ } },
    { ask: `GET ${at}/stream`, status: 200, answer: { type: /^audio\// } },
    { ask: `GET ${at}/stream`, headers: { range: 'bytes=0-9' }, status: 206, answer: { type: /^audio\// } },
    { ask: 'GET /audiobooks', as: 'nobody', status: 401, answer: ERROR },
    ...['', '/chapters', '/progress', '/read', '/stream'].flatMap((path): DocumentedRow[] => [
      { ask: `GET /audiobooks/${UNKNOWN}${path}`, status: 404, answer: ERROR },
      { ask: `GET ${at}${path}`, as: 'nobody', status: 401, answer: ERROR },
    ]),
    { ask: `POST /audiobooks/${UNKNOWN}/progress`, body: place, status: 404, answer: ERROR },
    { ask: `POST ${at}/progress`, body: place, as: 'nobody', status: 401, answer: ERROR },
  ]
}

const PHOTO = {
  id: 'uuid',
  name: 'string',
  width: 'integer',
  height: 'integer',
  date_taken_unix: 'integer',
  thumbnail_url: 'address',
  full_url: 'address',
  library_id: 'uuid',
} as const satisfies Shape

const SHOWN = {
  id: 'string',
  date: 'string',
  photo_count: 'integer',
  cover_photo: { id: 'uuid', thumbnail_url: 'address' },
} as const

function photoRows({ photo, day }: Filled): DocumentedRow[] {
  const page = { ...PAGE, pagination: { ...PAGE, count: 'integer' } } as const
  const slide: Shape = { id: 'uuid', full_url: 'address', thumbnail_url: 'address', caption: 'string' }
  const show: Shape = { slideshow: { album_id: 'string', interval: 'integer', photos: [slide] } }
  const one = `/photo/photos/${photo}`
  return [
    { ask: 'GET /photo/albums', status: 200, answer: { albums: [SHOWN], ...page } },
    { ask: `GET /photo/albums/${day}`, status: 200, answer: { album: { ...SHOWN, photos: [PHOTO] } } },
    { ask: `GET /photo/albums/album-${day}`, status: 200, answer: { album: { ...SHOWN, photos: [PHOTO] } } },
    { ask: 'GET /photo/albums/1980-01-01', status: 404, answer: ERROR },
    { ask: `GET /photo/photos?album_id=album-${day}`, status: 200, answer: { photos: [PHOTO], ...page } },
    {
      ask: `GET ${one}`,
      status: 200,
      answer: { photo: { ...PHOTO, path: 'string', exif: 'object', metadata: 'object' } },
    },
    { ask: `GET ${one}/thumbnail?w=50&h=50&fit=contain`, status: 200, answer: { type: /^image\/jpeg$/ } },
    { ask: `GET ${one}/thumbnail?fit=evil`, status: 400, answer: ERROR },
    { ask: `GET ${one}/full`, status: 200, answer: { type: /^image\/jpeg$/ } },
    { ask: 'GET /photo/slideshow', status: 200, answer: show },
    { ask: `GET /photo/slideshow?album_id=${day}&interval=9`, status: 200, answer: show },
    ...['', '/thumbnail', '/full'].flatMap((path): DocumentedRow[] => [
      { ask: `GET /photo/photos/${UNKNOWN}${path}`, status: 404, answer: ERROR },
      { ask: `GET ${one}${path}`, as: 'nobody', status: 401, answer: ERROR },
    ]),
    ...['albums', `albums/${day}`, 'photos', 'slideshow'].map((path): DocumentedRow => ({
      ask: `GET /photo/${path}`,
      as: 'nobody',
      status: 401,
      answer: ERROR,
    })),
  ]
}

/** Every row of the endpoint tables of document 1 for what is browsed: its success and each of its failures. */
export function documentedRows(filled: Filled): DocumentedRow[] {
  return [...mediaRows(filled), ...musicRows(filled), ...audiobookRows(filled), ...photoRows(filled)]
}
