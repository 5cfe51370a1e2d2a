import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findActiveScan, listScanFailures } from '../../src/core/scanning/index.ts'
import { startApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { gateAtTable } from '../support/database-gate.ts'
import { faultyDisk, type FaultyDisk } from '../support/disks.ts'
import { beforeReading, putSample, scannedLibrary } from '../support/scanning.ts'
import { createUserData } from '../support/user-data.ts'
import { waitUntil } from '../support/wait-until.ts'

const database = await testDatabase(t)

/** A disk that fails or does not respond, in a part of a library or in all of it. */

const UNAVAILABLE = { status: 'failed', error: 'library root is not available: nothing was removed', itemsRemoved: 0 }

const FILMS = ['A (2001).mp4', 'broken/B (2002).mp4', 'broken/deep/C (2003).mp4', 'fine/D (2004).mp4']

async function libraryOn(t: Test, disk: FaultyDisk) {
  const library = await scannedLibrary(t, { database, folder: disk.folder })
  for (const film of FILMS) await putSample(disk.source, film)
  t.match(await library.scan(), { status: 'completed', itemsAdded: FILMS.length, itemsFailed: 0 })
  return { ...library, before: await library.items() }
}

void t.test('a folder whose listing is an input/output error is not an empty folder (F-12)', async (t) => {
  const disk = await faultyDisk(t)
  if (disk === undefined) return
  const { before, folder, scan, items, services } = await libraryOn(t, disk)
  const traces = await createUserData(services, before.get('broken/deep/C (2003).mp4') ?? { id: '' })
  const said = await traces()
  disk.setBroken(true)
  rmSync(join(disk.source, 'fine/D (2004).mp4'))
  for (const type of ['scan', 'rescan'] as const) {
    const job = await scan(type)
    t.match(job, { status: 'completed', itemsRemoved: type === 'scan' ? 0 : 1, itemsFailed: 1 }, type)
    t.match(await listScanFailures(services, { scanJobId: job.id }), [{ path: join(folder, 'broken'), code: 'EIO' }])
  }
  before.delete('fine/D (2004).mp4')
  t.strictSame(await items(), before, 'what lies below the broken folder is neither removed nor marked')
  t.strictSame(await traces(), said)
  disk.setBroken(false)
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0, itemsFailed: 0 })
  t.strictSame(await items(), before)
})

void t.test('a disk that fails loses nothing, before a job and in the middle of one (F-12)', async (t) => {
  const disk = await faultyDisk(t)
  if (disk === undefined) return
  const { before, folder, scan, items, services } = await libraryOn(t, disk)
  await putSample(disk.source, 'new/E (2005).mp4')
  let isPulled = false
  beforeReading(services, async () => {
    if (!isPulled) await disk.pull()
    isPulled = true
  })
  for (const moment of ['in the middle', 'before']) {
    const job = await scan('rescan')
    t.match(job, UNAVAILABLE, moment)
    const found = await items()
    found.delete('new/E (2005).mp4')
    t.strictSame(found, before, moment)
    const [failure] = await listScanFailures(services, { scanJobId: job.id })
    t.match(failure?.path, folder)
  }
})

void t.test('while a disk hangs, a scan of it waits and the API answers (F-14)', async (t) => {
  const disk = await faultyDisk(t)
  if (disk === undefined) return
  const { before, library, scan, items, services } = await libraryOn(t, disk)
  Object.assign(services, { silenceLimitMilliseconds: NEVER_MILLISECONDS })
  const { ask, registerAdmin } = await startApp(t)
  const { token } = await registerAdmin()
  for (const type of ['scan', 'rescan'] as const) {
    disk.hang()
    let hasEnded = false
    const job = scan(type).finally(() => (hasEnded = true))
    await waitUntil('the scan runs', async () => (await findActiveScan(services, library.id))?.status === 'running')
    for (let count = 0; count < 6; count += 1) {
      t.equal((await ask('GET', '/api/v1/libraries', { token })).status, 200, `${type}: an answer`)
    }
    t.notOk(hasEnded, 'before the disk gave one')
    disk.goOn()
    t.match(await job, { status: 'completed', error: null, itemsAdded: 0, itemsRemoved: 0 })
  }
  t.strictSame(await items(), before)
})

void t.test('a disk that hangs ends the job within its limit, before the walk and in it (F-14)', async (t) => {
  const disk = await faultyDisk(t)
  if (disk === undefined) return
  const { connectionUri, before, scan, items, services } = await libraryOn(t, disk)
  Object.assign(services, { silenceLimitMilliseconds: 300 })
  disk.hang()
  for (const type of ['scan', 'rescan'] as const) {
    const job = await scan(type)
    t.match(job, UNAVAILABLE, type)
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { code: 'root_unavailable', reason: /has not answered for 0\.3 s/ },
    ])
  }
  disk.goOn()

  // More folders than the walk may be ahead of the scan (start-walk.ts).
  for (let index = 0; index < 1100; index += 1) mkdirSync(join(disk.source, `empty ${index}`))
  // Long enough for a working disk on a busy machine, because the disk works until the walk has reached the gate.
  Object.assign(services, { silenceLimitMilliseconds: 5000 })
  const gate = await gateAtTable(t, connectionUri, 'scan_folders')
  const running = scan('rescan')
  await gate.reached()
  disk.hang()
  await gate.open()
  t.match(await running, UNAVAILABLE, 'in the middle of the walk')
  t.strictSame(await items(), before)
  disk.goOn()
  Object.assign(services, { silenceLimitMilliseconds: NEVER_MILLISECONDS })
  t.match(await scan('rescan'), { status: 'completed', error: null, itemsAdded: 0, itemsRemoved: 0 })
  t.strictSame(await items(), before)
})

const NEVER_MILLISECONDS = 24 * 3600 * 1000
