import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { makeLibrary } from '../../support/records.ts'
import { makeSongs, type SongSpec } from '../../support/music-library.ts'
import { runJob } from '../../support/metadata.ts'
import { pick, startApp } from '../../support/app.ts'
import { startFakeMusicBrainz, type FakeAlbum, type FakeArtist } from '../../support/fake-musicbrainz.ts'
import { testServices } from '../../support/services.ts'
import { listScanFailures } from '../../../src/core/scanning/index.ts'
import { chooseAlbum, removeEdition } from '../../../src/core/metadata/providers/musicbrainz/choose-album.ts'
import { MusicReleaseGroup } from '../../../src/core/metadata/providers/musicbrainz/replies.ts'

const uuid = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`

const radiohead: FakeArtist = {
  id: uuid(1),
  name: 'Radiohead',
  country: 'GB',
  begin: '1991',
  genres: ['alternative rock', 'art rock'],
}
const various: FakeArtist = { id: '89ad4ac3-39f7-470e-963a-56509c546377', name: 'Various Artists' }
const weezer: FakeArtist = { id: uuid(2), name: 'Weezer' }

const ALBUMS: FakeAlbum[] = [
  {
    id: uuid(10),
    title: 'OK Computer',
    artists: [radiohead],
    date: '1997-05-21',
    genres: ['alternative rock', 'art rock'],
    releases: [{ id: uuid(100), date: '2009-03-24', hasFront: true }],
    hasCover: true,
  },
  { id: uuid(11), title: 'Kid A', artists: [radiohead], date: '2000-10', releases: [{ id: uuid(101) }] },
  { id: uuid(12), title: 'Hits', artists: [various], date: '1984', secondaryTypes: ['Compilation'], hasCover: true },
  { id: uuid(13), title: 'Weezer', artists: [weezer], date: '1994-05-10' },
  { id: uuid(14), title: 'Weezer', artists: [weezer], date: '2001-05-15' },
  { id: uuid(15), title: 'Kid A', artists: [{ id: uuid(3), name: 'Another Band' }], date: '2010' },
  { id: uuid(16), title: 'Say "It" \\ Loud', artists: [{ id: uuid(4), name: 'AC/DC: (live) + more' }], date: '1999' },
]

const songs: SongSpec[] = [
  { name: 'Airbag', artist: 'Radiohead', album: 'OK Computer', releaseId: uuid(100), year: 2009 },
  { name: 'Everything', artist: 'radiohead', album: 'Kid A (Deluxe Edition)' },
  { name: 'One', albumArtist: 'Various Artists', album: 'Hits' },
  { name: 'Undone', artist: 'Weezer', album: 'Weezer', year: 1994 },
  { name: 'Loud', artist: 'AC/DC: (live) + more', album: 'Say "It" \\ Loud' },
  { name: 'Nobody’s', artist: 'Radiohead', album: 'An Album That Is Not' },
  { name: 'Alone', artist: 'Radiohead', album: null },
]

async function setup(t: Test) {
  const fake = await startFakeMusicBrainz(t, ALBUMS)
  const services = await testServices(t, {
    flags: {
      'metadata.musicbrainz.enabled': 'on',
      'metadata.musicbrainz.base_url': fake.baseUrl,
      'metadata.musicbrainz.requests_per_second': '1000',
      'metadata.musicbrainz.contact': 'mail@example.test\u00e9\r\nx: y',
      'metadata.cover_art_archive.base_url': fake.coversUrl,
      'metadata.requests_per_second': '1000',
    },
  })
  const { db } = services
  const fill = async (wishes: readonly SongSpec[]): Promise<string> => {
    const [id = ''] = await makeSongs(db, t.testdir({ here: '' }), wishes)
    return String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${id}`))
  }
  const albumRow = async (libraryId: string, title: string) =>
    db.one(sql.unsafe`
      select a.metadata, a.metadata_refreshed_at is not null as is_stamped, r.metadata as artist_metadata, p.url
      from music_albums a join music_artists r on r.id = a.artist_id left join provider_artwork p on p.album_id = a.id
      where r.library_id = ${libraryId} and a.title = ${title}`) as Promise<Record<string, unknown>>
  return { fake, services, db, fill, albumRow }
}

void t.test('albums and artists of a music library', async (t) => {
  const { fake, services, db, fill, albumRow } = await setup(t)
  const libraryId = await fill(songs)
  const app = await startApp(t, { services })
  const { token } = await app.registerUser()
  const get = async (path: string) => (await app.ask('GET', `/api/v1/music/${path}`, { token })).json

  await t.test(
    'a match asks a search and a request for an album, one for a tagged release, one for an artist',
    async (t) => {
      const job = await runJob(services, libraryId, 'metadata')
      t.match(job, { status: 'completed', error: null, itemsFound: 6, itemsUpdated: 6, itemsFailed: 1 })
      t.match(await listScanFailures(services, { scanJobId: job.id }), [
        { code: 'metadata.no_match', path: 'Radiohead / An Album That Is Not' },
      ])
      const kinds = Map.groupBy(fake.requests, (request) => request.replace(/\?.*/, '').replace(/[\da-f]{8}-.*/, 'ID'))
      t.strictSame(Object.fromEntries([...kinds].map(([kind, some]) => [kind, some.length])), {
        '/ws/2/release/ID': 1,
        '/ws/2/release-group': 5,
        '/ws/2/release-group/ID': 4,
        '/ws/2/artist/ID': 3,
        '/caa/release-group/ID': 4,
        '/download/mbid-ID': 1,
        '/machine/mbid-ID': 1,
      })
      t.equal(new Set(fake.requests).size, fake.requests.length, 'none twice')
      t.strictSame([...fake.agents], ['Phlix/0.1.0 ( mail@example.testx: y )'], 'with a user agent')
    },
  )

  await t.test('a match stores ids, dates, genres and cover of album and artist', async (t) => {
    t.strictSame(await albumRow(libraryId, 'OK Computer'), {
      metadata: {
        external_ids: { musicbrainz_release_group: uuid(10), musicbrainz_release: uuid(100) },
        release_date: '1997-05-21',
        genres: ['alternative rock', 'art rock'],
        album_type: 'Album',
      },
      isStamped: true,
      artistMetadata: {
        external_ids: { musicbrainz: uuid(1) },
        genres: ['alternative rock', 'art rock'],
        artist_type: 'Group',
        country: 'GB',
        begin_date: '1991',
      },
      url: `${fake.coversUrl}/release/${uuid(100)}/front-1200`,
    })
    t.match(await albumRow(libraryId, 'Kid A (Deluxe Edition)'), {
      metadata: { external_ids: { musicbrainz_release_group: uuid(11) }, release_date: '2000-10' },
      url: null,
    })
    t.match(await albumRow(libraryId, 'Hits'), {
      artistMetadata: {},
      url: `${fake.coversUrl}/release-group/${uuid(12)}/front-1200`,
    })
    t.match(await albumRow(libraryId, 'Weezer'), {
      metadata: { external_ids: { musicbrainz_release_group: uuid(13) } },
    })
    t.match(await albumRow(libraryId, 'Say "It" \\ Loud'), { isStamped: true })
    t.match(await albumRow(libraryId, 'An Album That Is Not'), { isStamped: false, metadata: {} })
  })

  await t.test('clients see the year, genres and ids, and the cover through two redirects', async (t) => {
    const album = pick(await get('albums/Kid%20A%20(Deluxe%20Edition)'), 'album')
    t.match(album, { year: 2000, release_date: '2000-10', external_ids: { musicbrainz_release_group: uuid(11) } })
    t.match(pick(await get('albums/OK%20Computer'), 'album'), { year: 2009, genres: ['alternative rock', 'art rock'] })
    t.match(pick(await get('artists/radiohead'), 'artist'), { external_ids: { musicbrainz: uuid(1) } })
    t.notOk(Object.hasOwn(pick(await get('albums/An%20Album%20That%20Is%20Not'), 'album') as object, 'genres'))
    fake.requests.length = 0
    const picture = await app.ask('GET', String(pick(await get('albums/Hits'), 'album', 'album_art_url')))
    t.match([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
    t.strictSame(
      fake.requests.map((request) => request.split('/')[1]),
      ['caa', 'download', 'machine'],
    )
  })

  await t.test('a matched album is not requested again; a refresh requests all', async (t) => {
    fake.requests.length = 0
    t.match(await runJob(services, libraryId, 'metadata'), { status: 'completed', itemsUpdated: 6, itemsFailed: 1 })
    t.strictSame(fake.requests, [], 'and a miss is cached for a day')
    await runJob(services, libraryId, 'metadata_refresh')
    t.equal(fake.requests.filter((request) => request.startsWith('/ws/2/artist/')).length, 3)
    t.equal(fake.requests.filter((request) => request.startsWith('/ws/2/release/')).length, 1)
    t.equal(new Set(fake.requests).size, fake.requests.length, 'each once')
  })

  await t.test('clearing removes exactly these data', async (t) => {
    const before = await db.any(sql.unsafe`select id, title, release_id from music_albums order by id`)
    t.match(await runJob(services, libraryId, 'clear_metadata'), { status: 'completed', error: null })
    const left = await db.oneFirst(sql.unsafe`
      select (select count(*) from music_albums where metadata <> '{}' or metadata_refreshed_at is not null)
        + (select count(*) from music_artists where metadata <> '{}' or metadata_refreshed_at is not null)
        + (select count(*) from provider_artwork)`)
    t.equal(Number(left), 0)
    t.strictSame(await db.any(sql.unsafe`select id, title, release_id from music_albums order by id`), before)
    const album = pick(await get('albums/OK%20Computer'), 'album') as object
    t.match(album, { year: 2009, album_art_url: null })
    t.notOk('genres' in album)
  })
})

void t.test('MusicBrainz when it is busy, wrong or unreachable', async (t) => {
  const { fake, services, db, fill } = await setup(t)
  const start = async (wishes: readonly SongSpec[] = songs): Promise<string> => {
    await db.query(sql.unsafe`delete from provider_replies`)
    Object.assign(fake, { overrideResponse: undefined })
    fake.requests.length = 0
    return fill(wishes)
  }

  await t.test('503 with Retry-After is waited for', async (t) => {
    const libraryId = await start()
    let refusals = 0
    fake.overrideResponse = ({ count }) => {
      if (count % 4 !== 0 || refusals >= 2) return undefined
      refusals += 1
      return { status: 503, retryAfter: '1' }
    }
    t.match(await runJob(services, libraryId, 'metadata'), { status: 'completed', itemsFailed: 1 })
    t.equal(refusals, 2)
  })

  await t.test('a permanent failure ends the job with a message; the next job continues with the rest', async (t) => {
    const libraryId = await start()
    fake.overrideResponse = ({ count }) => (count > 6 ? { status: 502 } : undefined)
    const job = await runJob(services, libraryId, 'metadata')
    t.match(job, { status: 'failed', error: 'MusicBrainz answers with errors (HTTP 502)' })
    fake.overrideResponse = undefined
    t.match(await runJob(services, libraryId, 'metadata'), { status: 'completed', itemsUpdated: 6, itemsFailed: 1 })
  })

  await t.test('an invalid reply affects one album only', async (t) => {
    const libraryId = await start()
    fake.overrideResponse = ({ path }) =>
      path === `/release-group/${uuid(11)}` ? { status: 200, text: '<html>' } : undefined
    t.match(await runJob(services, libraryId, 'metadata'), { status: 'completed', itemsUpdated: 6, itemsFailed: 2 })
  })

  await t.test('hostile numbers and texts in replies can be stored', async (t) => {
    const libraryId = await start([{ name: 'Airbag', artist: 'Radiohead', album: 'OK Computer', releaseId: uuid(100) }])
    const group = {
      id: uuid(10),
      title: 'a\0\ud800',
      'first-release-date': '99999-01-01',
      genres: [{ name: 'g\0', count: 5e-324 }, { name: 7 }, null],
      'artist-credit': [{ name: 5 }, { artist: { id: '../../etc', name: 'x' } }],
    }
    const release = {
      id: uuid(100),
      title: '\0',
      date: '0000',
      'release-group': group,
      genres: 'none',
      'cover-art-archive': 7,
    }
    fake.overrideResponse = ({ path }) =>
      path.startsWith('/release/') ? { status: 200, text: JSON.stringify(release) } : undefined
    t.match(await runJob(services, libraryId, 'metadata'), { status: 'completed', itemsFailed: 0 })
    const metadata = await db.oneFirst(sql.unsafe`
      select a.metadata from music_albums a join music_artists r on r.id = a.artist_id where r.library_id = ${libraryId}`)
    t.strictSame(metadata, {
      external_ids: { musicbrainz_release_group: uuid(10), musicbrainz_release: uuid(100) },
      genres: ['g'],
    })
  })
})

void t.test('if it is disabled no request is sent, and a music library completes without processing', async (t) => {
  const services = await testServices(t)
  const library = await makeLibrary(services.db, t.testdir({ here: '' }), { name: 'Music', type: 'music' })
  t.equal(services.metadata.musicbrainz, undefined)
  t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', error: null, itemsFound: 0 })
})

void t.test('an album is chosen unambiguously or not at all', (t) => {
  const group = (title: string, artist: string, more: object = {}): MusicReleaseGroup =>
    MusicReleaseGroup.parse({
      id: uuid(50),
      title,
      'primary-type': 'Album',
      'artist-credit': [{ name: artist, artist: { id: uuid(51), name: artist } }],
      ...more,
    })
  const wanted = { title: 'The Album', artist: 'Björk', releaseId: null, year: 1993 }
  const choose = (...groups: MusicReleaseGroup[]) => chooseAlbum(groups, wanted)
  const album = group('Album', 'Bjork')
  t.equal(choose(album), album, 'accents and articles make no difference')
  t.equal(choose(group('Album', 'Someone')), undefined, 'another artist')
  t.equal(choose(group('Albums', 'Björk')), undefined, 'another title')
  t.equal(choose(group('Album', 'Björk', { 'primary-type': 'Single' }), album), album, 'an album before a single')
  t.equal(choose(group('Album', 'Björk', { 'secondary-types': ['Live'] }), album), album, 'of a studio before live')
  const later = group('Album', 'Björk', { 'first-release-date': '2001-01' })
  const meant = group('Album', 'Björk', { 'first-release-date': '1993-07-05' })
  t.equal(choose(later, meant), meant, 'of two the one of the year')
  t.equal(choose(later, later), undefined, 'neither of two equal albums')
  for (const [title, bare] of [
    ['OK Computer (Deluxe Edition)', 'OK Computer'],
    ['OK Computer [Remastered]', 'OK Computer'],
    ['(What’s the Story) Morning Glory?', '(What’s the Story) Morning Glory?'],
    ['Album (Live)', 'Album (Live)'],
    ['(Deluxe)', '(Deluxe)'],
    ['('.repeat(50_000), '('.repeat(50_000)],
    [`${'('.repeat(50_000)} edition)`, '('.repeat(49_999)],
  ] as const) {
    t.equal(removeEdition(title), bare, title.slice(0, 40))
  }
  t.end()
})
