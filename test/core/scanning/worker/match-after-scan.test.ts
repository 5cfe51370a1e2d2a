import { sql } from 'slonik'
import t from 'tap'
import { createLibrary, updateLibrary } from '../../../../src/core/libraries/index.ts'
import { listLibraryScanJobs, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { startWorkers } from '../../../../src/core/workers.ts'
import { startFakeTmdb } from '../../../support/fake-tmdb.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { putSample } from '../../../support/scanning.ts'
import { tmdbFlags } from '../../../support/metadata.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

void t.test('a match starts by itself after a scan that added something', async (t) => {
  const fake = await startFakeTmdb(t, [
    { id: 1, kind: 'movie', title: 'First Film', date: '1999-01-01' },
    { id: 2, kind: 'movie', title: 'Second Film', date: '2001-01-01' },
  ])
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services
  const folder = reachableDirectory(t)
  await putSample(folder, 'First Film (1999).mp4')
  const library = await createLibrary(services, { name: 'Films', type: 'movie', path: folder })
  const signal = new AbortController().signal
  const scan = async (type: 'scan' | 'rescan' = 'scan', asks: object = services) => {
    const job = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type })
    const input = { scanJobId: job.id, whenAborted: 'cancel', queuesAfterwards: true } as const
    return runScanJob({ ...services, ...asks }, input, signal)
  }
  const waiting = async () =>
    (await listLibraryScanJobs(services, { libraryId: library.id })).filter(({ status }) => status === 'queued')
  const run = async () => {
    for (const { id } of await waiting()) await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, signal)
  }
  const asked = () =>
    fake.requests.filter((request) => /\/movie\/\d/.test(request)).map((request) => request.replace(/\?.*/, ''))

  await t.test('not without a provider, nor if the library disables it', async (t) => {
    const nobody = { metadata: { ...services.metadata, tmdb: undefined, tvdb: undefined } }
    t.match(await scan('scan', nobody), { status: 'completed', itemsAdded: 1 })
    t.strictSame(await waiting(), [])
    await updateLibrary(services, { libraryId: library.id, options: { match_after_scan: false } })
    await db.query(sql.unsafe`delete from media_items`)
    await db.query(sql.unsafe`delete from scan_folders`)
    t.match(await scan(), { itemsAdded: 1 })
    t.strictSame(await waiting(), [])
    await t.rejects(updateLibrary(services, { libraryId: library.id, options: { match_after_scan: 'no' } }), {
      code: 'invalid_options',
    })
    await updateLibrary(services, { libraryId: library.id, options: { match_after_scan: true } })
  })

  await t.test('not after a scan that found nothing new, once after one that did', async (t) => {
    t.match(await scan(), { itemsAdded: 0 })
    t.strictSame(await waiting(), [])
    await putSample(folder, 'Second Film (2001).mp4')
    t.match(await scan(), { itemsAdded: 1 })
    t.match(await waiting(), [{ type: 'metadata' }])
    await run()
    // Two requests run concurrently.
    t.strictSame(asked().toSorted(), ['GET /movie/1', 'GET /movie/2'])
  })

  await t.test('matched items are not searched again, and nothing is queued if all are matched', async (t) => {
    fake.requests.length = 0
    await putSample(folder, 'Second Film (2001)-trailer.mp4')
    t.match(await scan('rescan'), { status: 'completed', itemsAdded: 1 }, 'something was added, and it is no film')
    t.strictSame(await waiting(), [])
    t.strictSame(fake.requests, [])
  })

  await t.test('a server does it all by itself', async (t) => {
    fake.titles.push({ id: 3, kind: 'movie', title: 'Third Film', date: '2003-01-01' })
    await putSample(folder, 'Third Film (2003).mp4')
    const workers = await startWorkers(services)
    t.teardown(() => workers.stop())
    await queueScan(services, { libraryId: library.id, type: 'scan' })
    const overview = () =>
      db.maybeOneFirst(sql.unsafe`select metadata->>'overview' from media_items where name = 'Third Film'`)
    await waitUntil('the film is matched', async () => (await overview()) === 'About Third Film.')
    t.strictSame(asked(), ['GET /movie/3'])
    await workers.stop()
  })
})
