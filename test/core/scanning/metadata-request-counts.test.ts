import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { getScanJob, queueScan, recoverScanJobs, runScanJob } from '../../../src/core/scanning/index.ts'
import type { SigningServices } from '../../../src/core/services.ts'
import { TMDB_KEY } from '../../support/fake-tmdb.ts'
import {
  countsOf,
  EPISODES,
  FILMS,
  providerAndLibraries,
  SEASONS,
  SHOWS,
  sum,
} from '../../support/metadata-catalogue.ts'
import { runJob } from '../../support/metadata.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { kill } from '../../support/processes.ts'
import { startScanProcess } from '../../support/scan-process.ts'

const never = new AbortController().signal
const ROWS = FILMS + SHOWS * (1 + SEASONS.length + SEASONS.length * EPISODES.length)

void t.test(`${FILMS} films and ${SHOWS} series`, async (t) => {
  const { fake, services, db, fill } = await providerAndLibraries(t)
  const { library, stamped } = await fill({ films: FILMS, shows: SHOWS })

  await t.test('after a killed worker another one continues the job and repeats no request', async (t) => {
    const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'metadata' })
    // The worker stops here, however late it is killed.
    fake.overrideResponse = ({ count }) => (count > 100 ? 'hang' : undefined)
    const child = startWorker(t, services, { id, url: fake.baseUrl })
    await waitUntil(
      'the worker is in the middle',
      async () => child.exitCode !== null || (fake.requests.length > 100 && (await stamped()) >= 15),
    )
    await kill(child)
    fake.overrideResponse = undefined
    const left = await stamped()
    t.ok(left >= 15 && left < ROWS, 'it was killed in the middle')
    t.match(await getScanJob(services, id), { status: 'running' })
    await waitUntil('the job is taken back', async () => (await recoverScanJobs(services)) > 0)
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
    t.ok((resumed[0] ?? 0) > 0, 'it continues at the cursor of the other one')
    t.equal(await stamped(), ROWS)
    const counts = countsOf(fake.requests)
    // Requests in progress at the death of the worker are repeated: four items at a time.
    t.ok(sum(counts, /\/movie\/\d+$/) <= FILMS + 4)
    t.ok(sum(counts, /\/search\/movie/) <= FILMS + 4)
    t.ok(sum(counts, /\/search\/tv/) <= SHOWS + 4)
    t.ok(sum(counts, /\/tv\/\d+$/) <= SHOWS + 4)
    t.ok(sum(counts, /\/season\//) <= SHOWS * SEASONS.length + 4)
  })

  await t.test('items with a match are not searched again', async (t) => {
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

  await t.test('clearing removes all provider data, including names', async (t) => {
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
  const { options } = config
  const file = join(t.testdir({}), 'config.toml')
  writeFileSync(file, '[metadata]\ntimeout_seconds = 300\nrequests_per_second = 1000\n')
  const environment = {
    PHLIX_CONFIG: file,
    DB_HOST: options['database.host'] ?? '',
    DB_NAME: options['database.name'],
    DB_USER: options['database.user'],
    DB_PASSWORD: options['database.password'],
    PHLIX_TMDB_URL: url,
    TMDB_API_KEY: TMDB_KEY,
  }
  return startScanProcess(t, [id], environment)
}
