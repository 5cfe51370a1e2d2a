import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { listLibraryRoots } from '../../../../src/core/libraries/index.ts'
import { listScanFailures, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { makeLibrary } from '../../../support/records.ts'
import { putNoise, putSample, scannedLibrary, scanServices } from '../../../support/scanning.ts'
import { listWholeItems } from '../../../support/whole-items.ts'

const UNAVAILABLE = { status: 'failed', error: 'library root is not available: nothing was removed', itemsRemoved: 0 }

for (const type of ['scan', 'rescan'] as const) {
  void t.test(`a ${type} of a library whose folder is away fails and changes nothing`, async (t) => {
    const { folder, scan, items, services } = await scannedLibrary(t)
    await putSample(folder, 'a/A.mp4')
    await scan()
    const before = await items()
    const away = `${folder}-away`
    renameSync(folder, away)
    const job = await scan(type)
    t.match(job, UNAVAILABLE)
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { path: folder, code: 'root_unavailable', reason: /ENOENT/ },
    ])
    t.strictSame(await items(), before)
    t.match(await scan(type, { force: true }), UNAVAILABLE, 'force has no effect on an unreadable folder')
    mkdirSync(folder)
    t.match(await scan(type), UNAVAILABLE, 'an empty mount point')
    t.strictSame(await items(), before)
    rmSync(folder, { recursive: true })
    renameSync(away, folder)
    t.match(await scan(type), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
    t.strictSame(await items(), before)
  })
}

void t.test('an empty folder is fine as long as the library has nothing in it', async (t) => {
  const { scan } = await scannedLibrary(t)
  t.match(await scan(), { status: 'completed', itemsFound: 0 })
  t.match(await scan('rescan'), { status: 'completed', itemsFound: 0 })
})

void t.test('a deliberately emptied folder is accepted when forced', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  rmSync(await putSample(folder, 'A.mp4').then(async (path) => (await scan(), path)))
  t.match(await scan('rescan'), UNAVAILABLE)
  t.match(await scan('rescan', { force: true }), { status: 'completed', itemsRemoved: 1 })
  t.equal((await items()).size, 0)
})

void t.test('a folder on another device without the expected files is rejected', async (t) => {
  const { db, folder, library, scan, items } = await scannedLibrary(t)
  const paths = await Promise.all(['A.mp4', 'B.mp4', 'C.mp4'].map((name) => putSample(folder, name)))
  await scan()
  const [root] = await listLibraryRoots({ db }, library.id)
  await db.query(sql.unsafe`update library_roots set device = '999999'`)
  t.match(await scan('rescan'), { status: 'completed' }, 'device numbers change at every boot; the files are there')
  t.strictSame((await listLibraryRoots({ db }, library.id))[0], root, 'the new device is stored')
  await db.query(sql.unsafe`update library_roots set device = '999999'`)
  for (const path of paths.slice(1)) rmSync(path)
  t.match(await scan('rescan'), UNAVAILABLE)
  t.equal((await items()).size, 3)
  t.match(await scan('rescan', { force: true }), { status: 'completed', itemsRemoved: 2 })
})

void t.test('more than 50 items missing at once are not removed unless forced', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  for (let index = 0; index < 60; index += 1) await putSample(folder, `folder ${index % 7}/${index}.mp4`)
  await scan()
  for (let index = 0; index < 51; index += 1) rmSync(join(folder, `folder ${index % 7}/${index}.mp4`))
  t.match(await scan('rescan'), {
    status: 'failed',
    error: '51 of 60 items are missing at once: nothing was removed (a rescan with --force removes them)',
    itemsRemoved: 0,
  })
  t.equal((await items()).size, 60)
  await putSample(folder, 'folder 0/0.mp4')
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 50 }, '50 are not too many')
  t.equal((await items()).size, 10)
})

void t.test('many moved files are not missing files', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t)
  for (let index = 0; index < 55; index += 1) await putSample(folder, `old/${index}.mp4`)
  await scan()
  const before = new Map([...(await items())].map(([path, { id }]) => [path.replace('old/', 'new/'), id]))
  renameSync(join(folder, 'old'), join(folder, 'new'))
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  t.strictSame(new Map([...(await items())].map(([path, { id }]) => [path, id])), before)
})

void t.test(
  'one folder of a library being away keeps the others scanned and everything in the catalogue',
  async (t) => {
    const { pool: db, connectionUri } = await testDatabase(t)
    const folder = t.testdir({ one: {}, two: {} })
    const library = await makeLibrary(db, [join(folder, 'one'), join(folder, 'two')])
    const services = await scanServices({ db, connectionUri })
    const run = async (type: 'scan' | 'rescan') => {
      const { id } = await queueScan(services, { libraryId: library.id, type })
      return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    }
    const gone = putNoise(folder, 'one/a.mp4')
    putNoise(folder, 'two/b.mp4')
    await run('scan')
    renameSync(join(folder, 'two'), join(folder, 'away'))
    rmSync(gone)
    putNoise(folder, 'one/c.mp4')
    t.match(await run('rescan'), { ...UNAVAILABLE, itemsAdded: 1 })
    const { items } = await listWholeItems({ db }, {})
    t.strictSame(
      items.map(({ name, missingSince }) => [name, missingSince !== null]),
      [
        ['a', true],
        ['b', false],
        ['c', false],
      ],
    )
  },
)
