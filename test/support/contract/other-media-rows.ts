import { CONSOLE, MOBILE, ROKU, WEB, type ClientRow } from './client-row.ts'
import type { Filled } from './filled-server.ts'

/** Music, audiobooks, books and photos. */
export function otherMediaRows({ song, audiobook, photo, day, libraryId }: Filled): ClientRow[] {
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
