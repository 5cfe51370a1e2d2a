import { ERROR, PAGE, type DocumentedRow } from './documented.ts'
import { UNKNOWN, type Filled } from './filled-server.ts'
import type { Shape } from './shapes.ts'

const PROVIDER_FACTS = { 'genres?': 'strings', 'release_date?': 'string', 'external_ids?': 'object' } as const

const TRACK: Shape = {
  id: 'uuid|null',
  name: 'string',
  artist: 'string|null',
  album: 'string|null',
  album_artist: 'string|null',
  year: 'integer|null',
  genre: 'null',
  genres: 'strings',
  track_number: 'integer|null',
  disc_number: 'integer|null',
  duration_secs: 'integer|null',
  composer: 'null',
  stream_url: 'address',
}

const ALBUM: Shape = {
  id: 'uuid',
  name: 'string',
  artist: 'string',
  year: 'integer|null',
  album_art_url: 'address|null',
  track_count: 'integer',
  tracks_truncated: 'boolean',
  tracks: [TRACK],
  ...PROVIDER_FACTS,
}

const ARTIST: Shape = {
  name: 'string',
  image_url: 'address|null',
  album_count: 'integer',
  track_count: 'integer',
  albums_truncated: 'boolean',
  albums: 'strings',
  ...PROVIDER_FACTS,
}

/** Music. */
export function musicRows({ song }: Filled): DocumentedRow[] {
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
      (path): DocumentedRow => ({ ask: `GET /music/${path}`, as: 'anonymous', status: 401, answer: ERROR }),
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
  chapter_position_ms: 'integer',
  book_position_ms: 'integer',
  current_chapter_index: 'integer',
  completed_chapters: 'integers',
  percent_complete: 'number',
  last_played_at: 'integer',
} as const satisfies Shape

/** Audiobooks. */
export function audiobookRows({ audiobook }: Filled): DocumentedRow[] {
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
    { ask: 'GET /audiobooks', as: 'anonymous', status: 401, answer: ERROR },
    ...['', '/chapters', '/progress', '/read', '/stream'].flatMap((path): DocumentedRow[] => [
      { ask: `GET /audiobooks/${UNKNOWN}${path}`, status: 404, answer: ERROR },
      { ask: `GET ${at}${path}`, as: 'anonymous', status: 401, answer: ERROR },
    ]),
    { ask: `POST /audiobooks/${UNKNOWN}/progress`, body: place, status: 404, answer: ERROR },
    { ask: `POST ${at}/progress`, body: place, as: 'anonymous', status: 401, answer: ERROR },
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

/** Photos. */
export function photoRows({ photo, day }: Filled): DocumentedRow[] {
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
      { ask: `GET ${one}${path}`, as: 'anonymous', status: 401, answer: ERROR },
    ]),
    ...['albums', `albums/${day}`, 'photos', 'slideshow'].map((path): DocumentedRow => ({
      ask: `GET /photo/${path}`,
      as: 'anonymous',
      status: 401,
      answer: ERROR,
    })),
  ]
}
