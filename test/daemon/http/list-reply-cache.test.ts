import { randomBytes, randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sql, type QuerySqlToken } from 'slonik'
import t from 'tap'
import { createFindSessionAccount } from '../../../src/core/accounts/index.ts'
import { createArtworkAddressCache } from '../../../src/core/artwork/index.ts'
import { createCatalogueCache } from '../../../src/core/catalogue/index.ts'
import { parseGrantOfSignature } from '../../../src/core/platform/keys/index.ts'
import { createListReplyCache, type ListReply } from '../../../src/daemon/http/list-reply-cache.ts'
import { startApp } from '../../support/app.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { countedDatabase } from '../../support/counted-work.ts'
import { makeSongs } from '../../support/music-library.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const clock = movableClock()
const { services: counted, asked } = countedDatabase(await testServices(t, { clock }))
const catalogueCache = createCatalogueCache(counted)
const services = {
  ...counted,
  catalogueCache,
  artworkCache: createArtworkAddressCache({ db: counted.db, catalogueCache }),
  findSessionAccount: createFindSessionAccount(counted),
}
const { db } = services
const server = await startApp(t, { services })
const { token, account } = await server.registerAdmin()
const other = await server.registerUser()

const PAGES = {
  albums: '/api/v1/music/albums',
  artists: '/api/v1/music/artists',
  tracks: '/api/v1/music/tracks',
  books: '/api/v1/books',
  audiobooks: '/api/v1/audiobooks',
  photos: '/api/v1/photo/photos',
  days: '/api/v1/photo/albums',
}
const LISTS = Object.keys(PAGES) as (keyof typeof PAGES)[]

const folder = t.testdir()
const [song = ''] = await makeSongs(db, folder, [{ name: 'Sine', track: 1, year: 2004 }])
const [book = '', audiobook = '', photo = ''] = await makeItems(db, folder, [
  { type: 'book', path: `${folder}/a.epub` },
  { type: 'audiobook', path: `${folder}/a.m4b` },
  { type: 'image', path: `${folder}/a.jpg` },
])
await db.query(sql.unsafe`
  insert into photos (media_item_id, library_id, width, height, orientation, taken_at, taken_local, time_source, is_listed)
  select id, library_id, 10, 10, 1, 1700000000, '2023-11-14 22:13:20', 'original', true from media_items where id = ${photo}`)

async function textOf(list: keyof typeof PAGES, bearer = token): Promise<string> {
  const answer = await server.ask('GET', `${PAGES[list]}?limit=50`, { token: bearer })
  t.equal(answer.status, 200, list)
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  return answer.text
}

/** Requests every list twice, so that the next call would be answered from the cache. */
async function textsOf(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const list of LISTS) texts[list] = await textOf(list)
  for (const list of LISTS) t.equal(await textOf(list), texts[list], list)
  return texts
}

void t.test('a cached page is returned without reading its rows', async (t) => {
  for (const list of LISTS) {
    await textOf(list)
    asked.length = 0
    await textOf(list)
    // The account and the version of the catalogue; for audiobooks also the version of the user's progress.
    t.equal(asked.length, list === 'audiobooks' ? 3 : 2, `${list}: ${asked.join(' ')}`)
  }
})

void t.test('whatever changes a list shows in the next answer', async (t) => {
  const run = (statement: QuerySqlToken) => () => db.query(statement)
  const facts = sql.jsonb({ genres: ['House'], overview: 'Words' })
  const changes: [string, keyof typeof PAGES, () => Promise<unknown>][] = [
    ['a song is renamed', 'tracks', run(sql.unsafe`update media_items set name = 'Cosine' where id = ${song}`)],
    ['a track gets a number', 'albums', run(sql.unsafe`update music_tracks set track_number = 7`)],
    ['a provider knows an album', 'albums', run(sql.unsafe`update music_albums set metadata = ${facts}`)],
    ['a provider knows an artist', 'artists', run(sql.unsafe`update music_artists set metadata = ${facts}`)],
    ['an album is renamed', 'albums', run(sql.unsafe`update music_albums set title = 'Currents'`)],
    ['an artist is renamed', 'artists', run(sql.unsafe`update music_artists set name = 'Oscar'`)],
    [
      'a book gets an author',
      'books',
      run(sql.unsafe`update media_items set metadata = metadata || '{"author":"Ann"}' where id = ${book}`),
    ],
    [
      'a narrator becomes known',
      'audiobooks',
      run(sql.unsafe`update media_items set metadata = metadata || '{"narrator":"Bob"}' where id = ${audiobook}`),
    ],
    ['a photo is measured', 'photos', run(sql.unsafe`update photos set width = 4000`)],
    [
      'a photo was taken on another day',
      'days',
      run(sql.unsafe`update photos set taken_local = '2022-01-01 10:00:00', taken_at = 1641031200`),
    ],
    ['a song is removed', 'tracks', run(sql.unsafe`delete from media_items where id = ${song}`)],
    ['a photo is removed', 'days', run(sql.unsafe`delete from media_items where id = ${photo}`)],
  ]
  for (const [what, list, change] of changes) {
    const before = await textsOf()
    await change()
    t.not(await textOf(list), before[list], what)
  }
})

void t.test('the progress of one listener shows in the next answer, and to that listener only', async (t) => {
  const [before, othersBefore] = [await textOf('audiobooks'), await textOf('audiobooks', other.token)]
  for (const percent of [20, 40]) {
    await db.query(sql.unsafe`
      insert into audiobook_progress
        (profile_id, media_item_id, position_ms, current_chapter_index, completed_chapters, percent_complete, last_played_at)
      values (${account.id}, ${audiobook}, 1, 0, '{}', ${percent}, now())
      on conflict (profile_id, media_item_id) do update set percent_complete = excluded.percent_complete`)
    t.match(await textOf('audiobooks'), `"progress_percent":${percent}`)
  }
  t.not(await textOf('audiobooks'), before)
  t.equal(await textOf('audiobooks', other.token), othersBefore)
})

void t.test('other pages, limits and filters have other cache keys', async (t) => {
  const pathOf = (query: string): string => `${PAGES.books}?${query}`
  const bodies = ['limit=1', 'limit=2', 'limit=1&offset=1', `library_id=${randomUUID()}`].map(async (query) => {
    return (await server.ask('GET', pathOf(query), { token })).text
  })
  t.equal(new Set(await Promise.all(bodies)).size, 4)
  t.equal((await server.ask('GET', pathOf('limit=1'))).status, 401, 'a page that is kept needs a token too')
  t.equal((await server.ask('GET', pathOf('library_id=7'), { token })).status, 400)
})

void t.test('concurrent callers share one result, and failures are not cached', async (t) => {
  const cache = createListReplyCache(services)
  let calls = 0
  const make = async (): Promise<string> => {
    calls += 1
    if (calls === 1) throw new Error('no database')
    return 'page'
  }
  await t.rejects(cache.getOrCreate('q', make), { message: 'no database' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.getOrCreate('q', make)))
  t.strictSame(new Set(answers.map(({ text }) => text)), new Set(['page']))
  t.equal(calls, 2)
})

void t.test('the least recently used page is evicted first', async (t) => {
  const cache = createListReplyCache(services, 2500)
  const made: string[] = []
  const ask = (question: string): Promise<ListReply> =>
    cache.getOrCreate(question, async () => {
      made.push(question)
      return 'x'.repeat(1000)
    })
  for (const question of ['a', 'b', 'a', 'c', 'a', 'b', 'a']) await ask(question)
  t.strictSame(made, ['a', 'b', 'c', 'b'])
  let largePages = 0
  const makeLarge = async (): Promise<string> => {
    largePages += 1
    return 'x'.repeat(3000)
  }
  for (const _time of [1, 2]) t.equal((await cache.getOrCreate('large', makeLarge)).text.length, 3000)
  t.equal(largePages, 2, 'a page beyond the limit is not cached')
  await ask('a')
  t.strictSame(made, ['a', 'b', 'c', 'b'], 'and evicts no other page')
})

void t.test('a page is compressed once for each coding, and its compressed bytes count', async (t) => {
  const cache = createListReplyCache(services, 5000)
  let calls = 0
  const ask = async (): Promise<ListReply> =>
    cache.getOrCreate('a', async () => {
      calls += 1
      return randomBytes(1500).toString('hex')
    })
  const first = await cache.codedOf('a', await ask(), { coding: 'gzip', grant: null })
  t.equal(await cache.codedOf('a', await ask(), { coding: 'gzip', grant: null }), first, 'the same bytes again')
  t.equal(gunzipSync(first).toString(), (await ask()).text)
  t.equal(calls, 1)
  await cache.codedOf('a', await ask(), { coding: 'br', grant: null })
  await ask()
  t.equal(calls, 2, 'two codings are more than the cache holds')
})

void t.test('a page with addresses of media is kept once, and sent with the grant of each session', async (t) => {
  const signer = services.signer.withGrants()
  const cache = createListReplyCache({ ...services, signer })
  let calls = 0
  const page = await cache.getOrCreate('a', async () => {
    calls += 1
    return JSON.stringify({ url: signer.signUrl('/media/x/stream'), text: 'x'.repeat(5000) })
  })
  const grants = [randomUUID(), randomUUID()].map((id) => ({ kind: 's', id }) as const)
  for (const grant of grants) {
    const bytes = await cache.codedOf('a', page, { coding: 'gzip', grant })
    const { url } = JSON.parse(gunzipSync(bytes).toString()) as { url: string }
    const { exp, sig } = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
    t.equal(signer.verify('/media/x/stream', exp, sig), 'valid')
    t.strictSame(parseGrantOfSignature(sig), grant)
    t.equal(await cache.codedOf('a', page, { coding: 'gzip', grant }), bytes, 'compressed once for each')
  }
  t.equal(calls, 1)
})

void t.test('signed URLs in a cached page are valid for at least five hours', async (t) => {
  const expiries = (text: string): number[] => [...text.matchAll(/exp=(\d+)/g)].map(([, exp]) => Number(exp))
  const first = expiries(await textOf('books'))
  for (let minutes = 0; minutes < 180; minutes += 20) {
    const shown = expiries(await textOf('books', await server.signIn(account.id)))
    t.equal(shown.length, first.length)
    t.ok(Math.min(...shown) >= clock.unixSeconds() + 5 * 3600, `${minutes} minutes later`)
    clock.advance(20 * 60)
  }
})

void t.test('a cached list is sent compressed and readable in each coding', async (t) => {
  await makeSongs(
    db,
    folder,
    Array.from({ length: 6 }, (_, index) => ({ name: `Song ${index}`, track: index + 2, year: 2004 })),
  )
  const bearer = await server.signIn(account.id)
  const ask = (coding: string) =>
    server.ask('GET', PAGES.tracks, { token: bearer, headers: { 'accept-encoding': coding } })
  const plain = await ask('identity')
  t.equal(plain.headers.get('content-encoding'), null)
  t.ok(plain.text.length > 1024)
  for (const coding of ['gzip', 'br', 'zstd', 'gzip']) {
    const answer = await ask(coding)
    t.equal(answer.headers.get('content-encoding'), coding)
    t.equal(answer.headers.get('vary'), 'Accept-Encoding')
    t.strictSame(answer.json, plain.json, coding)
  }
})
