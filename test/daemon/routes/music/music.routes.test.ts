import { sql } from 'slonik'
import t from 'tap'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { makeManySongs, makeSongs } from '../../../support/music-library.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const MANY = 2100

const server = await startApp(t)
const { services } = server
const { token } = await server.registerUser()

const get = (path: string): Promise<Answer> => server.ask('GET', `/api/v1/music/${path}`, { token })
const names = (answer: Answer, list: string, key = 'name'): unknown[] =>
  (pick(answer.json, list) as Record<string, unknown>[]).map((row) => row[key])

const [sine = '', saw = ''] = await makeSongs(services.db, t.testdir(), [
  { name: 'Sine', track: 1, disc: 1, year: 2004, seconds: 179.6, hasPicture: true },
  { name: 'Saw', track: 2, disc: 1, seconds: null },
  { name: 'Bonus', track: null, disc: null },
  { name: 'Square', track: 1, disc: 2, year: 2011 },
  { name: 'Étude', artist: 'Björk', album: 'ΩMEGA', year: 1999 },
  { name: 'Hit one', artist: 'Björk', albumArtist: 'Various Artists', album: 'Hits', track: 1 },
  { name: 'Hit two', artist: null, albumArtist: 'Various Artists', album: 'Hits', track: 2 },
  { name: 'Hit three', artist: 'AC/DC', album: 'Hits' },
  { name: 'Alone', artist: 'AC/DC', album: null, year: 1980 },
  { name: 'Nobody', artist: null, album: null, track: null },
  { name: 'Second', artist: 'AC/DC', album: ' Spaced ' },
  { name: 'No artist', artist: null, albumArtist: null, album: 'Found' },
])
await makeSongs(services.db, t.testdir(), [{ name: 'Over there', artist: 'OSCILLATOR', album: 'Ripples' }])
// A film is not a track, whatever its name.
await services.db.query(sql.unsafe`update media_items set year = 1977 where name = 'Nobody'`)
await services.db.query(sql.unsafe`
  update media_items set metadata = '{"genres": ["Pop"]}', local_metadata = '{"genres": ["Techno", 5, "Dub"]}' where name = 'Sine'`)

const TRACK_KEYS =
  'id name artist album album_artist year genre genres track_number disc_number duration_secs composer stream_url'.split(
    ' ',
  )

void t.test('a track has the keys of the contract and its genres, wherever it appears', async (t) => {
  const { track } = (await get(`tracks/${sine}`)).json as { track: Record<string, unknown> }
  t.strictSame(Object.keys(track), TRACK_KEYS)
  const { stream_url: address, ...rest } = track
  t.strictSame(rest, {
    id: sine,
    name: 'Sine',
    artist: 'Oscillator',
    album: 'Waves',
    album_artist: 'Oscillator',
    year: 2004,
    genre: null,
    genres: ['Techno', 'Dub'],
    track_number: 1,
    disc_number: 1,
    duration_secs: 180,
    composer: null,
  })
  const [path = '', query = ''] = String(address).split('?')
  t.equal(path, `/media/${sine}/stream`)
  const { exp, sig } = Object.fromEntries(new URLSearchParams(query))
  t.equal(services.signer.verify(path, exp, sig), 'valid', 'freshly signed')
  const listed = (await get('tracks')).json as { tracks: { id: string }[] }
  const embedded = (await get('albums/waves?artist=oscillator')).json as { album: { tracks: { id: string }[] } }
  for (const row of [...listed.tracks, ...embedded.album.tracks]) {
    t.strictSame(Object.keys(row), TRACK_KEYS)
    if (row.id === sine) t.match(row, rest)
  }
  t.match((await get(`tracks/${saw}`)).json, { track: { duration_secs: null, year: 2004 } }, 'the year of its album')
})

void t.test('a track without an artist has null, or the album’s artist if there is one', async (t) => {
  const { tracks } = (await get('tracks')).json as { tracks: { name: string }[] }
  const byName = new Map(tracks.map((track) => [track.name, track]))
  const nothing = { artist: null, album: null, album_artist: null, track_number: null, disc_number: null }
  t.match(byName.get('Nobody'), { ...nothing, year: 1977 })
  t.match(byName.get('Alone'), { artist: 'AC/DC', album: null, year: 1980 })
  t.match(byName.get('Hit one'), { artist: 'Björk', album_artist: 'Björk', album: 'Hits', year: null })
  t.match(byName.get('Hit two'), { artist: 'Various Artists', album: 'Hits' })
})

void t.test('the list of tracks is all of them by name, a page at a time', async (t) => {
  const all = await get('tracks')
  t.strictSame(Object.keys(all.json as object), ['tracks', 'total', 'limit', 'offset'])
  t.match(all.json, { total: 13, limit: 100, offset: 0 })
  const sorted = 'Alone|Bonus|Étude|Hit one|Hit three|Hit two|No artist|Nobody|Over there|Saw|Second|Sine|Square'
  t.equal(names(all, 'tracks').join('|'), sorted)
  t.strictSame(names(await get('tracks?limit=2&offset=12'), 'tracks'), ['Square'])
  t.match((await get('tracks?limit=5&offset=13')).json, { tracks: [], total: 13, limit: 5, offset: 13 })
  t.match((await get('tracks?artist=Björk&album=Waves')).json, { total: 13 }, 'there is no filter')
})

void t.test('limits are 1 to 100, 100 unless said, and offsets begin at 0', async (t) => {
  for (const list of ['artists', 'albums', 'tracks']) {
    for (const [query, limit, offset] of [
      ['', 100, 0],
      ['?limit=&offset=', 100, 0],
      ['?limit=0&offset=-5', 1, 0],
      ['?limit=101', 100, 0],
      ['?limit=1e9&offset=1e300', 100, Number.MAX_SAFE_INTEGER],
      ['?limit=-1', 1, 0],
    ] as const) {
      t.match((await get(`${list}${query}`)).json, { limit, offset }, `${list}${query}`)
    }
    for (const query of ['?limit=two', '?offset=1e400', '?limit=2.5', '?limit=1&limit=2']) {
      t.match(await get(`${list}${query}`), { status: 400, json: { code: 'invalid_request' } }, `${list}${query}`)
    }
  }
})

void t.test('artists are listed once each, whatever libraries and cases they are written in', async (t) => {
  const all = await get('artists')
  t.strictSame(Object.keys(all.json as object), ['artists', 'total', 'limit', 'offset'])
  t.match(all.json, { total: 5, limit: 100, offset: 0 })
  const [first, second] = ['AC/DC', 'Björk']
  t.match(names(all, 'artists').slice(0, 2), [first, second])
  t.match(String(names(all, 'artists')[2]), /^oscillator$/i)
  t.strictSame(names(all, 'artists').slice(3), ['Unknown Artist', 'Various Artists'])
  t.strictSame(pick(all.json, 'artists', 0), {
    name: 'AC/DC',
    image_url: null,
    album_count: 2,
    track_count: 3,
    albums_truncated: false,
    albums: [' Spaced ', 'Hits'],
  })
  t.match(pick(all.json, 'artists', 2), { album_count: 2, track_count: 5 })
  t.strictSame(names(await get('artists?limit=1&offset=1'), 'artists'), ['Björk'])
})

void t.test('an artist is found by the exact name, in any case, of any script, with or without a slash', async (t) => {
  for (const name of ['Björk', 'BJÖRK', 'björk', 'bjo\u0308rk']) {
    const answer = await get(`artists/${encodeURIComponent(name)}`)
    t.match(answer, { status: 200, json: { artist: { name: 'Björk', albums: ['ΩMEGA'], track_count: 1 } } }, name)
    t.strictSame(Object.keys(answer.json as object), ['artist'])
  }
  t.match((await get('artists/ac%2Fdc')).json, { artist: { name: 'AC/DC', album_count: 2 } })
  for (const name of [
    'Bjork',
    'Björk%20',
    '%20Björk',
    'Bj',
    '%25',
    '_j%C3%B6rk',
    '%00',
    'Bj%00',
    '%20',
    "'%20or%201=1--",
  ]) {
    t.match(await get(`artists/${name}`), { status: 404, json: { code: 'artist_not_found' } }, name)
  }
  t.match(await get('artists/'), { status: 400, json: { code: 'invalid_request', field: 'name' } })
})

void t.test('an artist and an album show the picture of an album, as a signed address', async (t) => {
  for (const path of ['artists/oscillator', 'albums/waves?artist=oscillator']) {
    const { json } = await get(path)
    const address = pick(json, 'artist', 'image_url') ?? pick(json, 'album', 'album_art_url')
    t.match(address, /^\/api\/v1\/artwork\/[\w-]+\?size=\d+&exp=\d+&sig=[\w-]{43}$/, path)
  }
  t.match((await get('albums/hits')).json, { album: { album_art_url: null } })
})

void t.test('albums are listed by title with their tracks in the order of discs', async (t) => {
  const all = await get('albums')
  t.strictSame(Object.keys(all.json as object), ['albums', 'total', 'limit', 'offset', 'artist'])
  t.match(all.json, { total: 7, limit: 100, offset: 0, artist: null })
  const titles = names(all, 'albums').map((title) => String(title).toLowerCase())
  t.strictSame(titles, [' spaced ', 'found', 'hits', 'hits', 'ripples', 'waves', 'ωmega'])
  const { album } = (await get('albums/waves?artist=Oscillator')).json as { album: { tracks: object[] } }
  const { tracks, ...rest } = album
  t.strictSame(Object.keys(album).join(' '), 'id name artist year album_art_url track_count tracks_truncated tracks')
  t.match(rest, { year: 2004, track_count: 4, tracks_truncated: false })
  t.strictSame(
    tracks.map((track) => pick(track, 'name')),
    ['Sine', 'Saw', 'Square', 'Bonus'],
  )
  t.strictSame(names(await get('albums?limit=2&offset=1'), 'albums'), ['Found', 'Hits'])
  t.match(pick((await get('albums?limit=1&offset=1')).json, 'albums', 0), { artist: 'Unknown Artist' })
})

void t.test(
  'albums are filtered by the exact name of their artist, trimmed, and the reply says the filter',
  async (t) => {
    t.match((await get('albums?artist=%20ac/dc%20&limit=1')).json, { total: 2, artist: 'ac/dc', limit: 1 })
    t.match((await get('albums?artist=ac/dc&limit=1&offset=1')).json, { total: 2, albums: [{ name: 'Hits' }] })
    for (const query of ['', '?artist=', '?artist=%20%20']) {
      t.match((await get(`albums${query}`)).json, { total: 7, artist: null }, query)
    }
    for (const name of ['ac', 'bjork', '%25', '%00', "' or ''='"]) {
      const artist = decodeURIComponent(name)
      t.match((await get(`albums?artist=${name}`)).json, { albums: [], total: 0, artist }, name)
    }
    t.match((await get('albums?artist=bj%C3%96rk')).json, { total: 1, albums: [{ name: 'ΩMEGA', year: 1999 }] })
  },
)

void t.test('an album is found by its exact title, and one of several by its artist', async (t) => {
  const first = await get('albums/hits')
  t.match(first, { status: 200, json: { album: { name: 'Hits', artist: 'AC/DC', track_count: 1 } } })
  for (let round = 0; round < 3; round += 1) t.strictSame(names2(await get('albums/HITS')), names2(first))
  t.match((await get('albums/hits?artist=%20various%20ARTISTS%20')).json, {
    album: { artist: 'Various Artists', tracks: [{ name: 'Hit one' }, { name: 'Hit two' }] },
  })
  t.match((await get('albums/hits?artist=%20')).json, { album: { artist: 'AC/DC' } }, 'a blank artist is none')
  t.match((await get(`albums/${encodeURIComponent('ωmega')}`)).json, { album: { artist: 'Björk' } })
  t.match((await get('albums/%20spaced%20')).json, { album: { name: ' Spaced ' } }, 'a title is not trimmed')
  for (const path of ['spaced', 'hit', 'hits?artist=nobody', 'hits?artist=%00', '%00', '%25', 'waves%20']) {
    t.match(await get(`albums/${path}`), { status: 404, json: { code: 'album_not_found' } }, path)
  }
  t.match(await get('albums/'), { status: 400, json: { code: 'invalid_request', field: 'title' } })
})

function names2(answer: Answer): unknown {
  const { stream_url: _, ...track } = pick(answer.json, 'album', 'tracks', 0) as Record<string, unknown>
  return [pick(answer.json, 'album', 'artist'), track]
}

void t.test('an unknown track is 404, an empty id 400, and nothing is playing', async (t) => {
  for (const id of [UNKNOWN, '1', '%00', 'now-playing', "x'%20or%201=1"]) {
    t.match(await get(`tracks/${id}`), { status: 404, json: { error: 'Track not found', code: 'track_not_found' } }, id)
  }
  t.match(await get('tracks/'), { status: 400, json: { code: 'invalid_request', field: 'id' } })
  t.strictSame((await get('now-playing')).json, { now_playing: null })
})

void t.test('music requires a token', async (t) => {
  for (const path of ['artists', 'artists/a', 'albums', 'albums/a', 'tracks', `tracks/${sine}`, 'now-playing']) {
    const answer = await server.ask('GET', `/api/v1/music/${path}`)
    t.strictSame([answer.status, answer.json], [401, { error: 'Unauthorized', code: 'auth.required' }], path)
  }
})

void t.test(
  'embedded lists of artists and albums are cut at 100 in lists and 2,000 in the detail, and the totals are exact',
  async (t) => {
    await makeManySongs(services.db, { artist: 'Prolific', albums: MANY, tracks: MANY })
    const last = '0'.repeat(2)
    const listed = await get('artists?limit=1&offset=3')
    t.match(listed.json, { total: 6, artists: [{ name: 'Prolific', album_count: MANY, track_count: MANY }] })
    t.match(pick(listed.json, 'artists', 0), { albums_truncated: true, albums: { length: 100 } })
    t.equal(pick(listed.json, 'artists', 0, 'albums', 99), `Prolific ${last}100`)
    const { json: artist } = await get('artists/prolific')
    t.match(artist, { artist: { album_count: MANY, albums_truncated: true, albums: { length: 2000 } } })
    t.equal(pick(artist, 'artist', 'albums', 1999), 'Prolific 02000')
    const filtered = await get('albums?artist=prolific&limit=1')
    t.match(filtered.json, {
      total: MANY,
      albums: [{ track_count: MANY, tracks_truncated: true, tracks: { length: 100 } }],
    })
    const { json: album } = await get('albums/prolific%2000001')
    t.match(album, { album: { track_count: MANY, tracks_truncated: true, tracks: { length: 2000 } } })
    t.match(pick(album, 'album', 'tracks', 1999), { name: 'Prolific track 02000', track_number: 2000 })
    const beyond = await get(`albums?artist=prolific&limit=100&offset=${MANY - 50}`)
    t.equal((pick(beyond.json, 'albums') as unknown[]).length, 50)
    t.match((await get('tracks?limit=1')).json, { total: MANY + 13 })
  },
)
