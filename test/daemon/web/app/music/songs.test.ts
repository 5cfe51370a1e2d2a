import t from 'tap'
import {
  clockTime,
  discsOf,
  songsOf,
  type AlbumFacts,
  type TrackRow,
} from '../../../../../src/daemon/web/app/music/songs.ts'

const track = (values: Partial<TrackRow>): TrackRow => ({
  id: 'id',
  name: 'Song',
  artist: null,
  album: 'Album',
  album_artist: null,
  year: null,
  genre: null,
  genres: [],
  track_number: null,
  disc_number: null,
  duration_secs: 3,
  composer: null,
  stream_url: '/stream',
  ...values,
})

void t.test('only an album of several discs has numbers of discs', (t) => {
  const [one] = discsOf([track({}), track({ disc_number: 1 })])
  t.match(one, { number: undefined, tracks: { length: 2 } })
  t.strictSame(
    discsOf([track({ disc_number: 1 }), track({ disc_number: 2 })]).map(({ number }) => number),
    [1, 2],
  )
  t.strictSame(discsOf([]), [])
  t.end()
})

void t.test('a song without an artist has that of its album; a track without an id cannot be played', (t) => {
  const album: AlbumFacts = {
    id: 'x',
    name: 'Album',
    artist: 'Someone',
    year: null,
    album_art_url: '/cover',
    track_count: 2,
    tracks_truncated: false,
    tracks: [track({}), track({ id: null })],
  }
  t.match(songsOf(album), [{ id: 'id', artist: 'Someone', albumArtist: 'Someone', pictureUrl: '/cover' }])
  t.equal(songsOf(album).length, 1)
  t.end()
})

void t.test('times have hours only if there are some', (t) => {
  t.equal(clockTime(65.9), '1:05')
  t.equal(clockTime(3725), '1:02:05')
  t.equal(clockTime(-1), '0:00')
  t.end()
})
