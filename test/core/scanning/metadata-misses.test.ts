import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createMetadataProviders, type MetadataProviders } from '../../../src/core/metadata/index.ts'
import { getScanJob, queueScan, runScanJob } from '../../../src/core/scanning/index.ts'
import { queueMatchAfterScan } from '../../../src/core/scanning/worker/match-after-scan.ts'
import { countsOf, sum } from '../../support/metadata-catalogue.ts'
import { addFilm, addSeries, emptyLibrary, runJob, tmdbFlags } from '../../support/metadata.ts'
import { startFakeTmdb } from '../../support/fake-tmdb.ts'
import { testServices } from '../../support/services.ts'

const never = new AbortController().signal

/** A library with a film that a provider knows, and a film and a series that it does not know, after a first match. */
async function afterFirstMatch(t: Test) {
  const fake = await startFakeTmdb(t, [{ id: 1, kind: 'movie', title: 'Known', date: '1999-01-01' }])
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db, clock } = services
  const library = await emptyLibrary(t, db, {})
  await addFilm(db, library, { name: 'Known', year: 1999 })
  const film = await addFilm(db, library, { name: 'Holiday', year: 2001 })
  const series = await addSeries(db, library, { name: 'Our Garden', seasons: { 1: [1] } })
  await runJob(services, library.id, 'metadata')
  const searched = (): number => sum(countsOf(fake.requests), /^GET \/search/)
  /** Runs the match after a scan that added items, with an empty cache; returns the number of searches, or undefined without a job. */
  const matchAfterScan = async (metadata: MetadataProviders | undefined = services.metadata) => {
    await db.query(sql.unsafe`delete from provider_replies`)
    fake.requests.length = 0
    const { id } = await queueScan({ db, clock }, { libraryId: library.id, type: 'scan' })
    const scan = { ...(await getScanJob(services, id)), status: 'completed', itemsAdded: 1 } as const
    await db.query(sql.unsafe`delete from scan_jobs where id = ${id}`)
    const { getLibraryPaths, diskThreads, throttle, log, mediaTools, readers, connectionUri } = services
    const needs = { db, getLibraryPaths, diskThreads, throttle, clock, log, mediaTools, readers, connectionUri }
    const asks = { ...needs, ...(metadata !== undefined && { metadata }) }
    const job = await queueMatchAfterScan(asks, scan)
    if (job === undefined) return undefined
    await runScanJob(asks, { scanJobId: job.id, whenAborted: 'cancel' }, never)
    return searched()
  }
  return { fake, services, db, library, film, series, searched, matchAfterScan }
}

void t.test('items that no provider knew are skipped by automatic matches for seven days', async (t) => {
  const { db, library, fake, matchAfterScan } = await afterFirstMatch(t)
  t.equal(await matchAfterScan(), undefined, 'nothing is left to ask about')
  fake.titles.push({ id: 2, kind: 'movie', title: 'New', date: '2005-01-01' })
  await addFilm(db, library, { name: 'New', year: 2005 })
  t.equal(await matchAfterScan(), 1, 'only added items are searched')
  await db.query(sql.unsafe`update metadata_misses set asked_at = asked_at - interval '6 days'`)
  t.equal(await matchAfterScan(), undefined)
  await db.query(sql.unsafe`update metadata_misses set asked_at = asked_at - interval '2 days'`)
  t.ok(Number(await matchAfterScan()) >= 2)
  t.equal(await matchAfterScan(), undefined, 'without a result again')
})

void t.test('another name, year, id or path, or other providers, cause a new search', async (t) => {
  const { fake, services, db, film, series, matchAfterScan } = await afterFirstMatch(t)
  for (const change of [
    sql.unsafe`update media_items set name = 'Holidays' where id = ${film}`,
    sql.unsafe`update media_items set year = 2002 where id = ${film}`,
    sql.unsafe`update media_items set path = path || '.mp4', path_hash = sha256(path_hash) where id = ${film}`,
    sql.unsafe`update media_items set local_metadata = '{"external_ids": {"imdb": "tt1"}}' where id = ${film}`,
    sql.unsafe`update media_items set name = 'Their Garden' where id = ${series}`,
  ]) {
    await db.query(change)
    t.ok(Number(await matchAfterScan()) > 0, change.sql)
    t.equal(await matchAfterScan(), undefined)
  }
  const flags = { ...tmdbFlags(fake), 'metadata.tvdb.api_key': 'key', 'metadata.tvdb.base_url': fake.baseUrl }
  const { config, clock, outbound } = await testServices(t, { flags })
  const more = createMetadataProviders({ config, db: services.db, clock, outbound })
  t.teardown(() => more.close())
  t.ok(Number(await matchAfterScan(more)) > 0, 'another provider may know it')
})

void t.test('a match requested by a user searches again, even if an automatic one is already queued', async (t) => {
  const { services, db, library, fake, searched } = await afterFirstMatch(t)
  await db.query(sql.unsafe`delete from provider_replies`)
  fake.requests.length = 0
  await runJob(services, library.id, 'metadata')
  const all = searched()
  t.ok(all >= 2)
  const queue = async (isAutomatic: boolean): Promise<string> => {
    const input = { libraryId: library.id, type: 'metadata', isAutomatic } as const
    return (await queueScan({ db, clock: services.clock }, input)).id
  }
  for (const [first, second] of [
    [true, false],
    [false, true],
  ] as const) {
    await db.query(sql.unsafe`delete from provider_replies`)
    fake.requests.length = 0
    const id = await queue(first)
    t.equal(await queue(second), id)
    const job = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
    t.match(job, { status: 'completed', itemsFailed: 2 })
    t.equal(searched(), all)
  }
})

void t.test('an item that is matched later is no longer a miss', async (t) => {
  const { fake, services, db, library, film } = await afterFirstMatch(t)
  const misses = async () => (await db.anyFirst(sql.unsafe`select media_item_id from metadata_misses`)).includes(film)
  t.ok(await misses())
  fake.titles.push({ id: 3, kind: 'movie', title: 'Holiday', date: '2001-01-01' })
  await db.query(sql.unsafe`delete from provider_replies`)
  t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 1 })
  t.notOk(await misses())
})
