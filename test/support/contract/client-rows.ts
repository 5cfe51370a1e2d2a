import type { Filled } from './filled-server.ts'

/** A row of document 4, section 10: what a client sends, with its habits, and what its code reads of the answer. */
export type ClientRow = {
  clients: string
  ask: string
  /** A string is sent as it stands. */
  body?: unknown
  as?: 'admin'
  headers?: Record<string, string>
  status?: number
  /** Paths of keys, of lists the first entry. */
  reads: readonly string[]
}

/** The web client says so on requests without a body, too. */
const WEB = { 'content-type': 'application/json' }
const CONSOLE = { accept: 'application/json' }
const ROKU = { 'X-Phlix-Device-ID': 'r1', 'X-Phlix-Device-Name': 'Living room', 'X-Phlix-Device-Type': 'roku' }
const MOBILE = { ...ROKU, 'X-Phlix-Device-Type': 'android', 'X-Phlix-Session-ID': 'none' }

const ROW = ['items.id', 'items.name', 'items.type', 'items.poster_url', 'items.genres', 'items.year', 'items.runtime']
const PLACE = ['items.position_ticks', 'items.duration_ticks', 'items.media_item_id', 'items.metadata']

function listRows({ libraryId, series }: Filled): ClientRow[] {
  return [
    {
      clients: 'web',
      ask: `GET /media?libraryId=${libraryId}&topLevel=1&genres%5B%5D=Drama&sort=name&order=asc&limit=50&offset=0`,
      headers: WEB,
      reads: [...ROW, 'total'],
    },
    {
      clients: 'console',
      ask: `GET /media?libraryId=${libraryId}&genres[0]=Drama&sort=date_added&order=desc`,
      headers: CONSOLE,
      reads: [...ROW, 'total', 'limit', 'offset'],
    },
    {
      clients: 'mobile',
      ask: 'GET /media?genres[]=Drama&types[]=movie&search=',
      headers: MOBILE,
      reads: [...ROW, 'total', 'limit', 'offset'],
    },
    {
      clients: 'roku',
      ask: `GET /media?parentId=${series}&limit=100`,
      headers: ROKU,
      reads: [...ROW, 'items.season_number', 'items.parent_id'],
    },
    { clients: 'web', ask: 'GET /media?match=matched&sort=rating&minRating=PG', headers: WEB, reads: ['total'] },
    { clients: 'web console roku', ask: `GET /media/facets?libraryId=${libraryId}`, reads: ['genres'] },
    {
      clients: 'web console mobile roku',
      ask: `GET /media/letter-index?libraryId=${libraryId}&topLevel=1`,
      reads: ['letters.letter', 'letters.offset', 'letters.count', 'total'],
    },
    {
      clients: 'web',
      ask: `GET /media/index?field=date_added&order=desc&libraryId=${libraryId}&topLevel=1`,
      reads: ['buckets.key', 'buckets.label', 'buckets.offset', 'buckets.count', 'field', 'total'],
    },
    { clients: 'web', ask: 'GET /media/search?q=alpha', reads: [...ROW, 'query', 'total'] },
    { clients: 'web console', ask: 'GET /media/most-watched?limit=20&offset=0', reads: [...ROW, 'total'] },
    { clients: 'web', ask: 'GET /media/search?q=', status: 400, reads: ['error'] },
  ]
}

function itemRows({ film, series, episode }: Filled): ClientRow[] {
  const marks = ['favorite', 'watched', 'unwatched'].map((word): ClientRow => ({
    clients: 'web',
    ask: `POST /media/${film}/${word}`,
    headers: WEB,
    reads: ['message'],
  }))
  return [
    ...['web', 'console', 'mobile', 'roku'].map((clients): ClientRow => ({
      clients,
      ask: `GET /media/${film}`,
      reads: [
        'item.id',
        'item.type',
        'item.stream_url',
        'item.streams',
        'item.cast',
        'item.user_data.watched',
        'item.path',
      ],
    })),
    {
      clients: 'web console',
      ask: `GET /media/${film}/similar`,
      reads: ['items.id', 'items.title', 'items.posterUrl', 'items.score', 'items.reason'],
    },
    ...marks,
    { clients: 'web', ask: `DELETE /media/${film}/favorite`, headers: WEB, reads: ['message'] },
    { clients: 'roku', ask: `POST /media/${film}/watched`, headers: ROKU, reads: ['message'] },
    { clients: 'web mobile roku', ask: `PUT /media/${film}/rating`, body: { rating: 8 }, reads: ['message'] },
    { clients: 'web', ask: `DELETE /media/${film}/rating`, headers: WEB, reads: ['message'] },
    { clients: 'web console', ask: `PUT /media/${film}/like`, body: { level: 2 }, reads: ['message'] },
    { clients: 'roku', ask: `PUT /media/${film}/like`, headers: ROKU, status: 400, reads: ['error'] },
    { clients: 'web console mobile', ask: `POST /media/${film}/ratings`, body: { score: 8 }, reads: [] },
    { clients: 'web', ask: `GET /media/${film}/download`, reads: ['url'] },
    {
      clients: 'web',
      ask: `GET /media/${series}/missing-episodes`,
      reads: ['total_expected', 'total_existing', 'missing_episodes'],
    },
    {
      clients: 'web console',
      ask: 'POST /shuffle',
      body: { media_id: series },
      reads: ['shuffled_ids', 'mode', 'message'],
    },
    {
      clients: 'web',
      ask: `GET /media/${episode}`,
      reads: ['item.season_number', 'item.episode_number', 'item.parent_id'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `GET /media/${film}/match/search?query=Alpha`,
      status: 422,
      reads: ['error', 'code'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `POST /media/${film}/match/apply`,
      body: { tmdb_id: 'x' },
      status: 400,
      reads: ['error', 'code'],
    },
    {
      clients: 'web',
      as: 'admin',
      ask: `POST /media/${film}/match/apply`,
      body: { tmdb_id: '603' },
      status: 422,
      reads: ['error', 'code'],
    },
  ]
}

function watchingRows({ otherFilm, film, sessionId }: Filled): ClientRow[] {
  const report = {
    media_item_id: otherFilm,
    position_ticks: 300_000_000,
    duration_ticks: 1_000_000_000,
    is_paused: false,
  }
  return [
    { clients: 'web', ask: 'POST /sessions', body: { device_id: 'd' }, reads: ['session_id'] },
    {
      clients: 'console mobile roku',
      ask: 'POST /sessions',
      body: { device_id: 'd', device_name: 'Living room', device_type: 'roku' },
      headers: ROKU,
      reads: ['session_id'],
    },
    {
      clients: 'web console mobile roku',
      ask: `POST /sessions/${sessionId}/progress`,
      body: report,
      reads: ['message'],
    },
    { clients: 'none', ask: `GET /sessions/${sessionId}/progress`, reads: ['progress.position_ticks'] },
    { clients: 'none', ask: 'GET /me/sessions', reads: ['sessions.session_id'] },
    ...['/users/me/continue-watching', '/me/continue-watching'].map((path): ClientRow => ({
      clients: 'web console mobile roku',
      ask: `GET ${path}`,
      reads: [...ROW, ...PLACE],
    })),
    {
      clients: 'web console',
      ask: 'GET /users/me/next-up?limit=20',
      reads: [...ROW, 'items.series_id', 'items.series_name'],
    },
    {
      clients: 'web console mobile roku',
      ask: 'GET /users/me/recently-watched',
      reads: [...ROW, ...PLACE, 'items.playback_status', 'items.progress_percent', 'items.updated_at'],
    },
    {
      clients: 'web',
      ask: 'GET /me/history',
      reads: ['items.id', 'items.progress', 'items.updated_at', 'items.media.name'],
    },
    {
      clients: 'web roku console',
      ask: 'GET /me/recommendations?limit=20',
      reads: ['recommendations.id', 'recommendations.title', 'recommendations.posterUrl', 'recommendations.computedAt'],
    },
    { clients: 'web', ask: `DELETE /me/recommendations/${film}`, headers: WEB, reads: ['message'] },
    {
      clients: 'web console mobile roku',
      ask: 'GET /users/me/favorites?limit=20&offset=0',
      reads: [...ROW, 'limit', 'offset', 'items.user_data.favorite'],
    },
    {
      clients: 'console roku',
      ask: `POST /sessions/${sessionId}/complete`,
      headers: ROKU,
      reads: ['message', 'reached_end'],
    },
    {
      clients: 'web',
      ask: `POST /sessions/${sessionId}/complete`,
      body: { media_item_id: otherFilm, reached_end: true },
      reads: ['reached_end'],
    },
    { clients: 'console mobile roku', ask: `DELETE /sessions/${sessionId}`, headers: WEB, reads: ['message'] },
    { clients: 'web', ask: `DELETE /users/me/history/${otherFilm}`, headers: WEB, reads: ['message'] },
    { clients: 'web', ask: 'DELETE /users/me/history', headers: WEB, reads: ['message'] },
    { clients: 'mobile', ask: 'PUT /users/me/settings', body: { theme: 'dark' }, headers: MOBILE, reads: ['message'] },
    {
      clients: 'mobile',
      ask: 'GET /users/me/settings',
      headers: MOBILE,
      reads: [
        'settings.max_streams',
        'settings.max_bitrate',
        'settings.subtitle_mode',
        'settings.theme',
        'settings.transcoding_preferences',
      ],
    },
    { clients: 'console', ask: 'PUT /me/settings', body: { columns: 3 }, headers: CONSOLE, reads: [] },
    { clients: 'console', ask: 'GET /me/settings', headers: CONSOLE, reads: ['columns'] },
    {
      clients: 'roku',
      ask: 'PUT /me/playback/preferences',
      body: { preferences: { crossfade: 4 } },
      headers: ROKU,
      reads: [],
    },
    { clients: 'roku', ask: 'GET /me/playback/preferences', headers: ROKU, reads: ['preferences.crossfade'] },
  ]
}

function shelfRows({ song, audiobook, photo, day, libraryId }: Filled): ClientRow[] {
  const track = ['id', 'name', 'duration_secs', 'track_number', 'stream_url']
  return [
    {
      clients: 'web console mobile roku',
      ask: 'GET /music/artists?limit=100&offset=0',
      reads: ['artists.name', 'artists.image_url', 'artists.album_count', 'artists.track_count', 'total'],
    },
    {
      clients: 'web console mobile roku',
      ask: 'GET /music/albums?artist=Oscillator&limit=100',
      reads: [
        'albums.name',
        'albums.artist',
        'albums.year',
        'albums.album_art_url',
        ...track.map((key) => `albums.tracks.${key}`),
      ],
    },
    {
      clients: 'web console mobile roku',
      ask: 'GET /music/tracks?limit=100',
      reads: track.map((key) => `tracks.${key}`),
    },
    { clients: 'web console mobile roku', ask: `GET /music/tracks/${song}`, reads: track.map((key) => `track.${key}`) },
    { clients: 'mobile', ask: 'GET /music/now-playing', headers: MOBILE, reads: ['now_playing'] },
    {
      clients: 'web console roku',
      ask: 'GET /audiobooks?limit=50&offset=0',
      reads: [
        'audiobooks.metadata.author',
        'audiobooks.metadata.narrator',
        'audiobooks.metadata.duration_ms',
        'audiobooks.cover_url',
        'audiobooks.title',
        'audiobooks.stream_url',
        'audiobooks.duration_ms',
      ],
    },
    {
      clients: 'console',
      ask: `GET /audiobooks/${audiobook}/chapters`,
      headers: CONSOLE,
      reads: ['chapters.index', 'chapters.title', 'chapters.start_ms', 'chapters.end_ms', 'chapters.duration_ms'],
    },
    {
      clients: 'console',
      ask: `GET /audiobooks/${audiobook}/progress`,
      headers: CONSOLE,
      reads: ['progress.position_ms', 'progress.percent_complete'],
    },
    {
      clients: 'console',
      ask: `POST /audiobooks/${audiobook}/progress`,
      body: { position_ms: 5, current_chapter_index: 0, completed_chapters: [], percent_complete: 0 },
      headers: CONSOLE,
      reads: ['progress.position_ms', 'ok', 'percent_complete'],
    },
    {
      clients: 'web',
      ask: `GET /audiobooks/${audiobook}/read`,
      headers: { ...WEB, ...CONSOLE },
      reads: ['audiobook.id', 'metadata', 'progress', 'message'],
    },
    { clients: 'web console', ask: 'GET /books?limit=50&offset=0', reads: ['books', 'limit', 'offset'] },
    {
      clients: 'console mobile roku',
      ask: `GET /photo/albums?library_id=`,
      headers: ROKU,
      reads: ['albums.id', 'albums.date', 'albums.photo_count', 'albums.cover_photo.thumbnail_url', 'pagination.count'],
    },
    { clients: 'roku', ask: `GET /photo/albums/album-${day}`, headers: ROKU, reads: ['album.photos.full_url'] },
    {
      clients: 'web mobile',
      ask: `GET /photo/photos?library_id=${libraryId}`,
      headers: MOBILE,
      reads: ['photos', 'pagination'],
    },
    {
      clients: 'console',
      ask: `GET /photo/photos/${photo}`,
      headers: CONSOLE,
      reads: ['photo.exif', 'photo.metadata', 'photo.full_url'],
    },
    {
      clients: 'console',
      ask: 'GET /photo/slideshow?interval=5',
      headers: CONSOLE,
      reads: ['slideshow.photos.full_url', 'slideshow.interval'],
    },
  ]
}

/** What the five clients ask of what is browsed and watched, in an order in which they could. */
export function clientRows(filled: Filled): ClientRow[] {
  return [...listRows(filled), ...itemRows(filled), ...shelfRows(filled), ...watchingRows(filled)]
}
