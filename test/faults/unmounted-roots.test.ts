import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  listScanFailures,
  queueScan,
  runScanJob,
  type QueueableType,
  type ScanJob,
} from '../../src/core/scanning/index.ts'
import { testDatabase } from '../support/database.ts'
import { gateAtTable } from '../support/database-gate.ts'
import { reachableDirectory } from '../support/directories.ts'
import { mountedDisk, type MountedDisk } from '../support/disks.ts'
import { makeLibrary } from '../support/records.ts'
import { beforeReading, itemsByPath, putFile, putSample, scannedLibrary } from '../support/scanning.ts'
import { createUserData } from '../support/user-data.ts'

const database = await testDatabase(t)

/** The disk of a library disappears, before and during jobs, and returns. Real mounts, real `umount -l`. */

const never = new AbortController().signal

const UNAVAILABLE = { status: 'failed', error: 'library root is not available: nothing was removed', itemsRemoved: 0 }
const NOTHING_NEW = { status: 'completed', error: null, itemsAdded: 0, itemsRemoved: 0 }

const FILMS = ['A (2001).mp4', 'B (2002).mp4', 'sub/C (2003).mp4', 'sub/D (2004).mp4', 'sub/deep/E (2005).mp4']

type RunSpec = { force?: boolean; onProgress?: (job: ScanJob) => void }

/** Films on a separate disk, scanned, one of them with all user data. */
async function libraryOnDisk(t: Test, disk: MountedDisk, films = FILMS) {
  const library = await scannedLibrary(t, { database, folder: disk.folder })
  const { folder, services, items } = library
  for (const film of films) await putSample(folder, film)
  await library.scan()
  const before = await items()
  const traces = await createUserData(services, before.get('A (2001).mp4') ?? { id: '' })
  const said = await traces()
  t.match(said, { isFavourite: true, rating: 9, positions: [[String, 7_000_000]] })
  const run = async (type: QueueableType, { force = false, onProgress }: RunSpec = {}) => {
    const { id } = await queueScan(services, { libraryId: library.library.id, type, force })
    return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never, onProgress)
  }
  /** Everything is as it was before the disk disappeared, and the next jobs find nothing to do. */
  const isAllBack = async (): Promise<void> => {
    t.match(await run('scan'), { ...NOTHING_NEW, itemsFound: films.length })
    t.strictSame(await items(), before, 'items, ids and their values')
    t.strictSame(await traces(), said, 'favourite, rating and place')
    t.match(await run('rescan'), NOTHING_NEW)
    t.strictSame(await items(), before)
  }
  return { ...library, before, run, isAllBack, idsOf: async () => idsOf(await items()) }
}

function idsOf(items: ReadonlyMap<string, { id: string }>): Record<string, string> {
  return Object.fromEntries([...items].map(([path, { id }]) => [path, id]))
}

void t.test('a disk that is not mounted is an outage: nothing is removed or marked (F-12, F-13)', async (t) => {
  const disk = mountedDisk(t)
  if (disk === undefined) return
  const { before, folder, items, run, isAllBack, services } = await libraryOnDisk(t, disk)
  disk.unmount()
  for (const type of ['scan', 'rescan', 'prune'] as const) {
    const job = await run(type)
    t.match(job, UNAVAILABLE, type)
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { path: folder, code: 'root_unavailable', reason: 'it is empty' },
    ])
    t.strictSame(await items(), before, type)
  }
  disk.mount()
  await isAllBack()
})

void t.test('another disk at the place of the right one is not taken for it (F-12)', async (t) => {
  const disk = mountedDisk(t)
  if (disk === undefined) return
  const { before, folder, items, run, isAllBack } = await libraryOnDisk(t, disk)
  disk.unmount()
  disk.mountAnother()
  for (const film of ['X (2011).mp4', 'sub/Y (2012).mp4']) await putSample(folder, film)
  for (const type of ['scan', 'rescan', 'prune'] as const) {
    t.match(await run(type), { ...UNAVAILABLE, itemsAdded: 0 }, type)
    t.strictSame(await items(), before, type)
  }
  disk.unmount()
  disk.mount()
  await isAllBack()
})

void t.test(
  'a disk that goes while its new files are read costs no item, and all follow when it is back (F-12)',
  async (t) => {
    const disk = mountedDisk(t)
    if (disk === undefined) return
    const { folder, idsOf, run, services } = await libraryOnDisk(t, disk)
    const known = await idsOf()
    await putSample(folder, 'new/F (2006).mp4')
    await putSample(folder, 'new/G (2007).mp4')
    let isMounted = true
    beforeReading(services, () => {
      if (isMounted) disk.unmount()
      isMounted = false
    })
    for (const type of ['scan', 'rescan'] as const) {
      isMounted = true
      t.match(await run(type), UNAVAILABLE, type)
      t.match(await idsOf(), known)
      disk.mount()
    }
    isMounted = false
    t.match(await run('rescan'), { status: 'completed', itemsRemoved: 0 })
    const ids = await idsOf()
    t.match(ids, known, 'ids stay')
    t.equal(Object.keys(ids).length, FILMS.length + 2, 'and the new films are there, once')
    t.match(await run('rescan'), NOTHING_NEW)
  },
)

void t.test('a disk that goes in the middle of the walk leaves the rest of its folders unknown (F-12)', async (t) => {
  const disk = mountedDisk(t)
  if (disk === undefined) return
  const { connectionUri, folder, idsOf, run, isAllBack } = await libraryOnDisk(t, disk)
  const known = await idsOf()
  // More folders than the walk may be ahead of the scan (start-walk.ts), and all of them before `sub`.
  for (let index = 0; index < 1100; index += 1) mkdirSync(join(folder, `empty ${index}`))
  for (const type of ['scan', 'rescan'] as const) {
    const gate = await gateAtTable(t, connectionUri, 'scan_folders')
    const running = run(type)
    await gate.reached()
    disk.unmount()
    await gate.open()
    t.match(await running, UNAVAILABLE, type)
    t.strictSame(await idsOf(), known)
    disk.mount()
  }
  await isAllBack()
})

void t.test('a disk that was unmounted during a part of a rescan loses nothing (F-12)', async (t) => {
  const disk = mountedDisk(t)
  if (disk === undefined) return
  const other = reachableDirectory(t)
  const { db, connectionUri, services } = await scannedLibrary(t, { database })
  const library = await makeLibrary(db, [disk.folder, other], 'On two disks')
  const run = async (type: 'scan' | 'rescan', force = false) => {
    const { id } = await queueScan(services, { libraryId: library.id, type, force })
    return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  }
  for (const film of FILMS) await putSample(disk.folder, film)
  for (let index = 0; index < 1100; index += 1) mkdirSync(join(disk.folder, `empty ${index}`))
  await putSample(other, 'Z (2020).mp4')
  await run('scan')
  const known = idsOf(await itemsByPath(db, library, ''))
  // Read only after the walk of the disk has ended.
  putFile(other, 'Z (2020).mp4', 'changed')
  let isAway = false
  beforeReading(services, () => {
    if (isAway) disk.mount()
    isAway = false
  })
  const gate = await gateAtTable(t, connectionUri, 'scan_folders')
  const running = run('rescan', true)
  await gate.reached()
  disk.unmount()
  isAway = true
  await gate.open()
  t.match(await running, { status: 'completed', itemsRemoved: 0 }, 'the outage was not noticed')
  t.strictSame(idsOf(await itemsByPath(db, library, '')), known)
  t.match(await run('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  const found = await itemsByPath(db, library, '')
  t.strictSame(idsOf(found), known)
  t.ok([...found.values()].every(({ missingSince }) => missingSince === null))
})

for (const type of ['rescan', 'prune'] as const) {
  void t.test(`a disk that goes while a ${type} removes missing items stops the removal (F-12)`, async (t) => {
    const disk = mountedDisk(t)
    if (disk === undefined) return
    const films = Array.from({ length: 150 }, (_, index) => `gone/${index} (2001).mp4`)
    const { folder, items, run } = await libraryOnDisk(t, disk, [...FILMS, ...films])
    rmSync(join(folder, 'gone'), { recursive: true })
    let removed = 0
    const job = await run(type, {
      force: true,
      onProgress: (row) => {
        if (removed === 0 && row.itemsRemoved > 0) disk.unmount()
        removed = row.itemsRemoved
      },
    })
    t.match(job, { ...UNAVAILABLE, itemsRemoved: 100 }, 'one page was removed')
    t.equal((await items()).size, FILMS.length + 50)
    disk.mount()
    t.match(await run(type, { force: true }), { status: 'completed', itemsRemoved: 50 })
    t.strictSame([...(await items()).keys()].toSorted(), FILMS)
  })
}

void t.test('a disk that goes while a prune looks for its files removes none of them (F-12)', async (t) => {
  const disk = mountedDisk(t)
  if (disk === undefined) return
  const films = Array.from({ length: 600 }, (_, index) => `many/${index} (2001).mp4`)
  const { items, run, idsOf } = await libraryOnDisk(t, disk, [...FILMS, ...films])
  const known = await idsOf()
  let isMounted = true
  const onProgress = () => {
    if (isMounted) disk.unmount()
    isMounted = false
  }
  t.match(await run('prune', { force: true, onProgress }), UNAVAILABLE)
  t.strictSame(await idsOf(), known)
  disk.mount()
  t.match(await run('prune'), { status: 'completed', itemsRemoved: 0 })
  t.ok([...(await items()).values()].every(({ missingSince }) => missingSince === null))
})
