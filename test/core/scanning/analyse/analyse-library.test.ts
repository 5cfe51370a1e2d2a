import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { clearMarkers, listMarkers, setMarkers, type Marker } from '../../../../src/core/analysis/index.ts'
import { getItem } from '../../../../src/core/catalogue/index.ts'
import { checkLibraryHealth } from '../../../../src/core/maintenance/index.ts'
import {
  cancelScan,
  findActiveScan,
  listScanFailures,
  queueScan,
  queueConfiguredAnalysis,
  recoverScanJobs,
  runScanJob,
} from '../../../../src/core/scanning/index.ts'
import { sampleMedia } from '../../../support/media.ts'
import { makeLibrary } from '../../../support/records.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { scanAgain } from '../../../support/scan-library.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { putSeason } from '../../analysis/series-folder.ts'

const never = new AbortController().signal
const services = await testServices(t)
const { db } = services
const folder = reachableDirectory(t)
const episodes = await putSeason(folder, {
  seed: 31,
  episodes: 4,
  introSeconds: 20,
  outroSeconds: 20,
  isHard: true,

  bodySeconds: 40,
  maxOffsetSeconds: 10,
})
await writeFile(join(folder, 'Show', 'Season 01', 'Show S01E05.mkv'), 'no film at all')
await copyFile(await sampleMedia('film-tiny-mp4'), join(folder, 'Show', 'Season 01', 'Show S01E06.mp4'))
const library = await makeLibrary(db, folder, { name: 'Shows', type: 'series' })
await scanAgain(services, library.id)

/** The paths of the episodes in order. */
const [firstFile = '', secondFile = '', thirdFile = '', fourthFile = ''] = episodes.map(({ file }) => file)

const idOf = async (path: string): Promise<string> => {
  const row = await db.one(sql.unsafe`select id from media_items where path = ${path}`)
  return String((row as { id: unknown }).id)
}
const markersOf = async (path: string): Promise<Marker[]> => {
  const item = await getItem(services, await idOf(path))
  return listMarkers(services, { item, parts: [] })
}
const run = async (
  options: { force?: boolean; itemId?: string } = {},
  signal = never,
  whenAborted = 'cancel' as const,
) => {
  const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'markers', ...options })
  return runScanJob(services, { scanJobId: id, whenAborted }, signal)
}
const isNear = (milliseconds: number | undefined, seconds: number | undefined) =>
  Math.abs((milliseconds ?? 0) / 1000 - (seconds ?? 0)) <= 1

void t.test('a job finds the markers of a season, and a second one has nothing to do', async (t) => {
  const job = await run()
  t.match(job, { status: 'completed', itemsFound: 6, itemsUpdated: 6, itemsFailed: 0 })
  for (const { file, intro, outro } of episodes) {
    const markers = await markersOf(file)
    t.match(
      markers,
      [
        { type: 'intro', source: 'sound' },
        { type: 'outro', source: 'sound' },
      ],
      file,
    )
    t.ok(
      isNear(markers[0]?.startMilliseconds, intro?.startSeconds) &&
        isNear(markers[0]?.endMilliseconds, intro?.endSeconds),
    )
    t.ok(
      isNear(markers[1]?.startMilliseconds, outro?.startSeconds) &&
        isNear(markers[1]?.endMilliseconds, outro?.endSeconds),
    )
  }
  t.match(await run(), { status: 'completed', itemsFound: 0, itemsUpdated: 0 })
})

void t.test('markers of an administrator are not changed by any analysis, until they are removed', async (t) => {
  const file = firstFile
  const itemId = await idOf(file)
  const range = { startMilliseconds: 1000, endMilliseconds: 2500 }
  await setMarkers(services, {
    itemId,
    markers: [
      { type: 'intro', range },
      { type: 'outro', range: null },
    ],
  })
  t.match(await markersOf(file), [{ type: 'intro', ...range, source: 'manual', confidence: 1 }])
  t.match(await run({ force: true }), { status: 'completed', itemsUpdated: 6 })
  t.match(await markersOf(file), [{ type: 'intro', ...range, source: 'manual' }])
  await clearMarkers(services, itemId)
  t.match(await run(), { status: 'completed', itemsUpdated: 1 }, 'only the season is compared again')
  t.match(await markersOf(file), [
    { type: 'intro', source: 'sound' },
    { type: 'outro', source: 'sound' },
  ])
})

void t.test('a changed file has no markers until it is analysed again; the others keep theirs', async (t) => {
  await copyFile(secondFile, firstFile)
  await scanAgain(services, library.id)
  t.strictSame(await markersOf(firstFile), [])
  const before = await markersOf(fourthFile)
  t.match(await run({ itemId: await idOf(firstFile) }), { status: 'completed', itemsUpdated: 2 })
  const [intro] = await markersOf(firstFile)
  t.ok(isNear(intro?.startMilliseconds, episodes[1]?.intro?.startSeconds), 'it is another edition of the second now')
  t.strictSame(await markersOf(fourthFile), before)
})

void t.test('an analysis runs beside a scan of its library, and is cancelled alone', async (t) => {
  const analysis = await queueScan(
    { db, clock: services.clock },
    { libraryId: library.id, type: 'markers', force: true },
  )
  const running = runScanJob(services, { scanJobId: analysis.id, whenAborted: 'cancel' }, never)
  await waitUntil('the analysis runs', async () => {
    return (await findActiveScan(services, library.id, { isAnalysis: true }))?.status === 'running'
  })
  const scan = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'scan' })
  t.match(await runScanJob(services, { scanJobId: scan.id, whenAborted: 'cancel' }, never), { status: 'completed' })
  t.match(await cancelScan(services, { scanJobId: analysis.id }), [{ type: 'markers', status: 'cancelled' }])
  t.match(await running, { status: 'cancelled' })
})

void t.test('a stopped analysis is queued again and continues', async (t) => {
  const stop = new AbortController()
  const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'markers', force: true })
  const input = { scanJobId: id, whenAborted: 'requeue' } as const
  const stopped = await runScanJob(services, input, stop.signal, ({ itemsUpdated }) => {
    if (itemsUpdated === 2) stop.abort()
  })
  t.match(stopped, { status: 'queued' })
  const ended = await runScanJob(services, input, never)
  t.match(ended, { status: 'completed', itemsFound: 4 }, 'three files and the season are left')
  await recoverScanJobs({ db, connectionUri: services.connectionUri })
})

void t.test('a film without sound, a damaged one and one that is gone have a stated result each', async (t) => {
  const films = reachableDirectory(t)
  await mkdir(join(films, 'a'), { recursive: true })
  await copyFile(await sampleMedia('film-tiny-mp4'), join(films, 'a', 'Show S01E01.mp4'))
  await copyFile(await sampleMedia('film-tiny-mp4'), join(films, 'a', 'Show S01E02.mp4'))
  const shows = await makeLibrary(db, films, { name: 'Odd shows', type: 'series' })
  await scanAgain(services, shows.id)
  await writeFile(join(films, 'a', 'Show S01E02.mp4'), Buffer.alloc(5000, 'x'))
  const { id } = await queueScan({ db, clock: services.clock }, { libraryId: shows.id, type: 'markers' })
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), {
    status: 'completed',
    itemsFailed: 1,
  })
  t.match(await listScanFailures(services, { scanJobId: id }), [
    { code: 'analysis_failed', reason: /changed after its scan/ },
  ])
  const health = await checkLibraryHealth(services, { libraries: [shows], kinds: ['analysis'], limit: 10 })
  t.match(health, { counts: { analysis: 1 }, findings: [{ kind: 'analysis', path: /S01E02/, reason: /^sound: / }] })
})

void t.test('the options of a library queue the analysis of films without results, once', async (t) => {
  t.equal(await queueConfiguredAnalysis(services, library.id), undefined, 'the options are off by default')
  const set = (value: boolean) =>
    db.query(sql.unsafe`
      update libraries set options = options || ${JSON.stringify({ markers: value })}::jsonb where id = ${library.id}`)
  await set(true)
  t.equal(await queueConfiguredAnalysis(services, library.id), undefined, 'nothing is missing')
  await db.query(sql.unsafe`delete from file_analyses where media_item_id = ${await idOf(thirdFile)}`)
  const queued = await queueConfiguredAnalysis(services, library.id)
  t.match(queued, { type: 'markers', status: 'queued' })
  t.equal((await queueConfiguredAnalysis(services, library.id))?.id, queued?.id)
  await set(false)
})
