import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { updateLibrary } from '../../../../src/core/libraries/index.ts'
import { listScanFailures, previewPrune, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { putNoise, putSample, scannedLibrary } from '../../../support/scanning.ts'

const never = new AbortController().signal

async function setup(t: Test, files: readonly string[]) {
  const scanned = await scannedLibrary(t)
  const { folder, library, services, scan } = scanned
  // Real films, which the readers recognise by their headers; noise would need a run of ffprobe each.
  for (const file of files) await putSample(folder, file)
  await scan()
  const prune = async (force = false) => {
    services.probed.length = 0
    const { id } = await queueScan(services, { libraryId: library.id, type: 'prune', force })
    return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  }
  const preview = (force = false) => previewPrune(services, { libraryId: library.id, force }, never)
  return { ...scanned, prune, preview }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Film ${index} (2001).mp4`)

void t.test('a prune removes items without a file, opens no file and does not search for new files', async (t) => {
  const { folder, items, prune, preview, services } = await setup(t, [
    'A (2001).mp4',
    'B (2002).mp4',
    'sub/C (2003).mp4',
  ])
  rmSync(join(folder, 'sub'), { recursive: true })
  putNoise(folder, 'New (2004).mp4')
  const { gone, known, refusal } = await preview()
  t.equal(known, 3)
  t.match(gone, [{ path: join(folder, 'sub/C (2003).mp4'), isMissing: false }])
  t.equal(gone.length, 1)
  t.equal(refusal, undefined)
  t.equal((await items()).size, 3, 'a preview removes nothing')
  t.match(await prune(), {
    type: 'prune',
    status: 'completed',
    error: null,
    itemsFound: 3,
    itemsUpdated: 3,
    itemsRemoved: 1,
    itemsAdded: 0,
    currentPath: null,
  })
  t.strictSame([...(await items()).keys()].toSorted(), ['A (2001).mp4', 'B (2002).mp4'])
  t.strictSame(services.probed, [])
  t.match(await prune(), { status: 'completed', itemsRemoved: 0 }, 'again there is nothing to do')
})

void t.test('a file that was marked missing and has returned is no longer missing', async (t) => {
  const { folder, items, scan, prune } = await setup(t, ['A (2001).mp4', 'B (2002).mp4'])
  renameSync(join(folder, 'A (2001).mp4'), join(folder, 'hidden'))
  await scan()
  t.ok((await items()).get('A (2001).mp4')?.missingSince)
  renameSync(join(folder, 'hidden'), join(folder, 'A (2001).mp4'))
  t.match(await prune(), { itemsRemoved: 0 })
  t.equal((await items()).get('A (2001).mp4')?.missingSince, null)
})

void t.test('an unavailable or empty folder is an outage: nothing is removed (F-12, F-13)', async (t) => {
  const { folder, items, prune, preview, services } = await setup(t, numbered(3))
  const away = `${folder}-away`
  t.teardown(() => rmSync(away, { recursive: true, force: true }))
  renameSync(folder, away)
  for (const claim of ['missing', 'empty']) {
    if (claim === 'empty') mkdirSync(folder)
    const job = await prune()
    t.match(
      job,
      { status: 'failed', error: 'library root is not available: nothing was removed', itemsRemoved: 0 },
      claim,
    )
    t.match(await listScanFailures(services, { scanJobId: job.id }), [{ path: folder, code: 'root_unavailable' }])
    t.match(await preview(), { isRootAway: true, refusal: /root is not available/ }, claim)
    t.equal((await items()).size, 3)
  }
  rmSync(folder, { recursive: true })
  renameSync(away, folder)
  t.match(await prune(), { status: 'completed', itemsRemoved: 0 })
  t.strictSame(
    [...(await items()).values()].map(({ missingSince }) => missingSince),
    [null, null, null],
  )
})

void t.test(
  'more than 50 files and a fifth of a library at once are refused with the counts; force removes them (F-13)',
  async (t) => {
    const { folder, items, prune, preview } = await setup(t, numbered(120))
    for (const name of numbered(51)) rmSync(join(folder, name))
    const refusal = '51 of 120 items are missing at once: nothing was removed (a prune with --force removes them)'
    t.match(await preview(), { refusal, isRootAway: false, gone: { length: 51 } })
    t.match(await prune(), { status: 'failed', error: refusal, itemsRemoved: 0 })
    t.equal((await items()).size, 120)
    t.match(await preview(true), { refusal: undefined, gone: { length: 51 } })
    t.match(await prune(true), { status: 'completed', itemsRemoved: 51 })
    t.equal((await items()).size, 69)
  },
)

void t.test('fifty missing files are a plausible deletion', async (t) => {
  const { folder, prune } = await setup(t, numbered(60))
  for (const name of numbered(50)) rmSync(join(folder, name))
  t.match(await prune(), { status: 'completed', itemsRemoved: 50 })
})

void t.test(
  'items below a folder that was removed from the library are kept until a prune, which needs no force',
  async (t) => {
    const { services, folder, library, items, scan, prune, preview } = await setup(t, [
      ...numbered(60).map((name) => `old/${name}`),
      'kept/Stays (1999).mp4',
    ])
    const config = { dataDirectory: '/nonexistent' }
    const change = { libraryId: library.id, paths: [join(folder, 'kept')] }
    const updated = await updateLibrary({ ...services, config }, change)
    t.equal(updated.arePathsChanged, true)
    t.equal((await items()).size, 61, 'nothing is removed by the change itself')
    t.match(await scan(), { status: 'completed' })
    const missing = [...(await items()).values()].filter(({ missingSince }) => missingSince !== null)
    t.equal(missing.length, 60, 'the next scan misses them')
    t.match(await preview(), { refusal: undefined, gone: { length: 60 } })
    t.match(await prune(), { status: 'completed', itemsRemoved: 60 })
    t.strictSame([...(await items()).keys()], ['kept/Stays (1999).mp4'])
  },
)

void t.test('a folder that is added again before the prune has its items with their ids', async (t) => {
  const { services, folder, library, items, scan, prune } = await setup(t, ['old/A (2001).mp4', 'kept/B (1999).mp4'])
  const before = [...(await items()).values()].map(({ id }) => id)
  const config = { dataDirectory: '/nonexistent' }
  const change = (paths: string[]) => updateLibrary({ ...services, config }, { libraryId: library.id, paths })
  await change([join(folder, 'kept')])
  await scan()
  await change([join(folder, 'kept'), join(folder, 'old')])
  await scan()
  await prune()
  t.strictSame([...(await items()).values()].map(({ id }) => id).toSorted(), before.toSorted())
})

void t.test('unreadable paths do not count as missing', async (t) => {
  const { db, folder, items, prune } = await setup(t, ['A (2001).mp4'])
  await putSample(folder, 'B (2002).mp4')
  // A name that no file system accepts causes ENAMETOOLONG.
  const path = `${folder}/${'x'.repeat(300)}.mp4`
  await db.query(sql.unsafe`update media_items set path = ${path}`)
  t.match(await prune(), { status: 'completed', itemsRemoved: 0 })
  t.equal((await items()).size, 1)
})
