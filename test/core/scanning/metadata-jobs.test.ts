import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { writeItems, type GroupWrite, type ItemWrite } from '../../../src/core/catalogue/index.ts'
import {
  getScanJob,
  listScanFailures,
  queueScan,
  recoverScanJobs,
  runScanJob,
} from '../../../src/core/scanning/index.ts'
import type { SigningServices } from '../../../src/core/services.ts'
import { startFakeTmdb, TMDB_KEY, type FakeTitle } from '../../support/fake-tmdb.ts'
import { addFilm, emptyLibrary, runJob, tmdbFlags } from '../../support/metadata.ts'
import { testServices } from '../../support/services.ts'

const FILMS = 300
const SHOWS = 20
const SEASONS = [1, 2]
const EPISODES = [1, 2, 3]

const film = (number: number): FakeTitle => ({
  id: 1000 + number,
  kind: 'movie',
  title: `Film number ${number}`,
  date: `${1950 + (number % 70)}-06-01`,
})

const show = (number: number): FakeTitle => ({
  id: 5000 + number,
  kind: 'tv',
  title: `Show number ${number}`,
  date: '2001-01-01',
  seasons: Object.fromEntries(
    SEASONS.map((season) => [
      season,
      EPISODES.map((episode) => ({ number: episode, name: `Part ${season}.${episode}` })),
    ]),
  ),
})

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const range = (films: number, shows: number) => [...numbers(films).map(film), ...numbers(shows).map(show)]

/** A server that has them all, and libraries as a scan would have written them. */
async function setup(t: Test) {
  const fake = await startFakeTmdb(t)
  const services = await testServices(t, { flags: { ...tmdbFlags(fake), 'metadata.timeout_seconds': '3' } })
  const { db } = services
  let libraries = 0
  /** What came before is forgotten. */
  const fill = async ({ films = 12, shows = 0 } = {}) => {
    libraries += 1
    await db.query(sql.unsafe`delete from provider_replies`)
    Object.assign(fake, { titles: range(films, shows), misbehave: undefined })
    fake.requests.length = 0
    const library = await emptyLibrary(t, db, { name: `Library ${libraries}` })
    const rows = [
      numbers(films).map((number) => filmRow(library, number)),
      numbers(shows).map((number) => showRows(library, number)),
    ]
    await writeItems(db, rows.flat(2), new Date('2026-01-01T00:00:00Z'))
    const stamped = async (): Promise<number> =>
      Number(
        await db.oneFirst(sql.unsafe`
          select count(*) from media_items where library_id = ${library.id} and metadata_refreshed_at is not null`),
      )
    return { library, stamped }
  }
  return { fake, services, db, fill }
}

type Place = { id: string; folder: string }

const ROW = {
  sizeBytes: 1000,
  modifiedAtNanoseconds: 1n,
  durationSeconds: 100,
  container: 'mkv',
  bitrate: null,
  probeError: null,
  contentHash: null,
  streams: [],
}

function filmRow({ id, folder }: Place, number: number): ItemWrite {
  const name = `film number ${number}`
  const path = join(folder, `${name}.mkv`)
  const year = 1950 + (number % 70)
  return {
    ...ROW,
    libraryId: id,
    type: 'movie',
    name,
    sortTitle: name,
    year,
    path,
    metadata: { title: name },
    canonicalKey: path,
  }
}

function showRows({ id, folder }: Place, number: number): ItemWrite[] {
  const name = `show number ${number}`
  const series: GroupWrite = {
    type: 'series',
    key: `${name}/2001`,
    name,
    sortTitle: name,
    year: 2001,
    metadata: { title: name },
  }
  return SEASONS.flatMap((season) =>
    EPISODES.map((episode): ItemWrite => {
      const path = join(folder, name, `S${season}E${episode}.mkv`)
      const title = `Episode ${episode}`
      const seasonGroup: GroupWrite = {
        type: 'season',
        key: `${series.key}/${season}`,
        name: `Season ${season}`,
        sortTitle: `Season ${season}`,
        year: null,
        seasonNumber: season,
        metadata: {},
      }
      return {
        ...ROW,
        libraryId: id,
        type: 'episode',
        name: title,
        sortTitle: title,
        year: null,
        path,
        metadata: { title },
        canonicalKey: path,
        seasonNumber: season,
        episodeNumber: episode,
        groups: [series, seasonGroup],
      }
    }),
  )
}

/** How often each path was asked for; searches by their words. */
function countsOf(requests: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests) {
    const key = request.includes('/search/') ? request : request.replace(/\?.*/, '')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function sum(counts: ReadonlyMap<string, number>, pattern: RegExp): number {
  return [...counts].reduce((total, [key, count]) => total + (pattern.test(key) ? count : 0), 0)
}

const never = new AbortController().signal
const ROWS = FILMS + SHOWS * (1 + SEASONS.length + SEASONS.length * EPISODES.length)

void t.test(`${FILMS} films and ${SHOWS} series`, async (t) => {
  const { fake, services, db, fill } = await setup(t)
  const { library, stamped } = await fill({ films: FILMS, shows: SHOWS })

  await t.test(
    'a worker that is killed is followed by another one with the same job, which asks nothing twice',
    async (t) => {
      const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'metadata' })
      const child = startWorker(t, services, { id, url: fake.baseUrl })
      while (child.exitCode === null && (await stamped()) < 15) await pause(50)
      await kill(child)
      const left = await stamped()
      t.ok(left < ROWS, 'it was killed in the middle')
      t.match(await getScanJob(services, id), { status: 'running' })
      while ((await recoverScanJobs(services)) === 0) await pause(50)
      const resumed: number[] = []
      const job = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never, ({ itemsUpdated }) =>
        resumed.push(itemsUpdated),
      )
      t.match(job, {
        id,
        status: 'completed',
        error: null,
        itemsFound: FILMS + SHOWS,
        itemsUpdated: FILMS + SHOWS,
        itemsFailed: 0,
      })
      t.ok((resumed[0] ?? 0) > 0, 'it goes on where the other one was')
      t.equal(await stamped(), ROWS)
      const counts = countsOf(fake.requests)
      // What was under way when the worker died is asked again: four items at a time.
      t.ok(sum(counts, /\/movie\/\d+$/) <= FILMS + 4)
      t.ok(sum(counts, /\/search\/movie/) <= FILMS + 4)
      t.ok(sum(counts, /\/search\/tv/) <= SHOWS + 4)
      t.ok(sum(counts, /\/tv\/\d+$/) <= SHOWS + 4)
      t.ok(sum(counts, /\/season\//) <= SHOWS * SEASONS.length + 4)
    },
  )

  await t.test('what is stamped is not asked about again', async (t) => {
    fake.requests.length = 0
    const before = await db.anyFirst(sql.unsafe`select metadata_refreshed_at from media_items order by id`)
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsUpdated: FILMS + SHOWS })
    t.strictSame(fake.requests, [])
    t.strictSame(await db.anyFirst(sql.unsafe`select metadata_refreshed_at from media_items order by id`), before)
  })

  await t.test(
    'a refresh asks again: one request a film by its number, a search and each season once for a series',
    async (t) => {
      fake.requests.length = 0
      const [first] = fake.titles
      if (first !== undefined) first.title = 'Film number 1 with a longer name'
      const before = new Date(String(await db.oneFirst(sql.unsafe`select max(metadata_refreshed_at) from media_items`)))
      const job = await runJob(services, library.id, 'metadata_refresh')
      t.match(job, { type: 'metadata_refresh', status: 'completed', itemsUpdated: FILMS + SHOWS, itemsFailed: 0 })
      const counts = countsOf(fake.requests)
      t.equal(sum(counts, /\/search\/movie/), 0)
      t.equal(sum(counts, /\/movie\/\d+$/), FILMS)
      t.equal(sum(counts, /\/search\/tv/), SHOWS)
      t.equal(sum(counts, /\/tv\/\d+$/), SHOWS)
      t.equal(sum(counts, /\/season\//), SHOWS * SEASONS.length)
      t.equal(Math.max(...counts.values()), 1)
      t.equal(
        Number(
          await db.oneFirst(
            sql.unsafe`select count(*) from media_items where metadata_refreshed_at > ${before.toISOString()}`,
          ),
        ),
        ROWS,
      )
      t.equal(
        Number(
          await db.oneFirst(
            sql.unsafe`select count(*) from media_items where name = 'Film number 1 with a longer name'`,
          ),
        ),
        1,
      )
    },
  )

  await t.test('clearing takes it all back, and names too', async (t) => {
    const total = Number(await db.oneFirst(sql.unsafe`select count(*) from media_items`))
    t.match(await runJob(services, library.id, 'clear_metadata'), {
      status: 'completed',
      itemsFound: total,
      itemsUpdated: total,
      itemsRemoved: 0,
    })
    t.equal(await stamped(), 0)
    t.equal(
      Number(
        await db.oneFirst(sql.unsafe`
          select count(*) from media_items where metadata ?| array['overview', 'external_ids', 'genres', 'cast']
            or name_source <> 'file' or naming_before is not null or name ~ '^(Film|Show|Part)'`),
      ),
      0,
    )
    t.equal(Number(await db.oneFirst(sql.unsafe`select count(*) from provider_artwork`)), 0)
  })
})

function startWorker(t: Test, { config }: SigningServices, { id, url }: { id: string; url: string }): ChildProcess {
  const script = join(import.meta.dirname, '../../support/scan-worker.ts')
  const { options } = config
  const environment = {
    DB_HOST: options['database.host'] ?? '',
    DB_NAME: options['database.name'],
    DB_USER: options['database.user'],
    PHLIX_TMDB_URL: url,
    TMDB_API_KEY: TMDB_KEY,
  }
  const child = spawn(process.execPath, [script, id], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

void t.test('providers that are slow, wrong or away', async (t) => {
  const { fake, services, db, fill } = await setup(t)

  await t.test('a provider that asks to wait is waited for (429, 503 with Retry-After)', async (t) => {
    const { library, stamped } = await fill()
    let refusals = 0
    fake.misbehave = ({ count }) => {
      if (count % 5 !== 0 || refusals >= 3) return undefined
      refusals += 1
      return { status: refusals === 2 ? 503 : 429, retryAfter: '1' }
    }
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(refusals, 3)
    t.equal(await stamped(), 12)
  })

  await t.test('a fault that passes is tried again', async (t) => {
    const { library, stamped } = await fill({ films: 2 })
    fake.misbehave = ({ count }) => (count === 1 ? 'drop' : count === 3 ? { status: 500 } : undefined)
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(await stamped(), 2)
  })

  await t.test('a provider that goes away ends the job with a clear error; what was done stays (F-41)', async (t) => {
    const { library, stamped } = await fill({ films: 20 })
    fake.misbehave = ({ count }) => (count > 20 ? { status: 500 } : undefined)
    const job = await runJob(services, library.id, 'metadata')
    t.match(job, { status: 'failed', error: /^TMDB answers with errors \(HTTP 500\)$/ })
    const done = await stamped()
    t.ok(done > 0 && done < 20)
    t.equal(job.itemsUpdated, done)
    t.ok(fake.requests.length <= 20 + 4 * 3, 'no storm of retries')
    fake.misbehave = undefined
    fake.requests.length = 0
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsUpdated: 20 })
    t.equal(await stamped(), 20)
    t.ok(sum(countsOf(fake.requests), /\/movie\/\d+$/) <= 20 - done, 'the next job goes on with the rest')
  })

  for (const [what, fault, error] of [
    ['a key that is refused', { status: 401 }, /^TMDB refuses the key \(HTTP 401\)$/],
    ['a connection that is cut', 'drop', /^TMDB cannot be reached: /],
    ['a provider that never answers', 'hang', /^TMDB cannot be reached: .* did not answer in time/],
    [
      'one that asks to wait for hours',
      { status: 503, retryAfter: '86400' },
      /^TMDB answers with errors \(HTTP 503\)$/,
    ],
  ] as const) {
    await t.test(`${what} ends the job with an error that says so`, async (t) => {
      const { library } = await fill({ films: 6 })
      fake.misbehave = () => fault
      t.match(await runJob(services, library.id, 'metadata'), { status: 'failed', error })
      t.ok(fake.requests.length <= 4 * 3)
      t.notOk(fake.requests.some((request) => request.includes(TMDB_KEY)))
    })
  }

  await t.test('a reply that cannot be understood is the trouble of one item', async (t) => {
    const { library, stamped } = await fill({ films: 3 })
    fake.misbehave = ({ path }) => {
      if (path === '/movie/1001') return { status: 200, text: '<html>' }
      return path === '/movie/1002' ? { status: 200, body: { id: 'no number' } } : undefined
    }
    const job = await runJob(services, library.id, 'metadata')
    t.match(job, { status: 'completed', itemsUpdated: 3, itemsFailed: 2 })
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { code: 'metadata_reply_invalid', reason: /TMDB answered/ },
      { code: 'metadata_reply_invalid' },
    ])
    t.equal(await stamped(), 1)
  })

  await t.test('a job that is cancelled while it waits for the provider ends', async (t) => {
    const { library } = await fill()
    fake.misbehave = () => 'hang'
    const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'metadata' })
    const stop = new AbortController()
    const running = runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, stop.signal)
    while (fake.requests.length === 0) await pause(20)
    stop.abort()
    t.match(await running, { status: 'cancelled' })
  })

  await t.test('with metadata.overwrite_existing off a refresh skips what has metadata', async (t) => {
    const { library, stamped } = await fill({ films: 4 })
    const careful = { ...services, metadata: { ...services.metadata, overwritesExisting: async () => false } }
    const [one, two] = await db.anyFirst(sql.unsafe`
      select id from media_items where library_id = ${library.id} order by id limit 2`)
    await db.query(sql.unsafe`
      update media_items set metadata_refreshed_at = now(), metadata = '{"overview": "mine"}' where id = ${String(one)}`)
    await db.query(sql.unsafe`update media_items set metadata = '{"overview": "mine"}' where id = ${String(two)}`)
    t.match(await runJob(careful, library.id, 'metadata_refresh'), {
      status: 'completed',
      itemsFound: 4,
      itemsUpdated: 4,
    })
    t.equal(await stamped(), 3)
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 2)
    t.equal(
      Number(await db.oneFirst(sql.unsafe`select count(*) from media_items where metadata = '{"overview": "mine"}'`)),
      2,
    )
  })

  await t.test('a series that is searched again keeps to what it was, of two that are called the same', async (t) => {
    const { library } = await fill({ films: 0, shows: 1 })
    await runJob(services, library.id, 'metadata')
    fake.titles.push({ ...show(1), id: 9999, popularity: 100 })
    await runJob(services, library.id, 'metadata_refresh')
    t.equal(
      await db.oneFirst(sql.unsafe`
        select metadata->'external_ids'->>'tmdb' from media_items where library_id = ${library.id} and type = 'series'`),
      '5001',
    )
  })

  await t.test(
    'a library whose folder is empty, as one that is not mounted, ends with the guard’s error, and nothing is asked (F-12)',
    async (t) => {
      const { library } = await fill({ films: 2 })
      rmSync(join(library.folder, 'here'))
      for (const type of ['metadata', 'metadata_refresh'] as const) {
        const error = 'library root is not available: nothing was removed'
        t.match(await runJob(services, library.id, type), { status: 'failed', error, itemsRemoved: 0 })
      }
      t.strictSame(fake.requests, [])
    },
  )

  await t.test('replies are kept for a day, for all who ask', async (t) => {
    const { library } = await fill({ films: 1 })
    await runJob(services, library.id, 'metadata')
    const other = await emptyLibrary(t, db, { name: 'Another' })
    await addFilm(db, other, { name: 'Film number 1', year: 1951 })
    fake.requests.length = 0
    t.match(await runJob(services, other.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 0)
    await db.query(sql.unsafe`update provider_replies set fetched_at = fetched_at - interval '25 hours'`)
    await db.query(sql.unsafe`update media_items set metadata_refreshed_at = null where library_id = ${other.id}`)
    await runJob(services, other.id, 'metadata')
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 1)
  })
})
