import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { deleteLibraryRecord } from '../../../../src/core/libraries/index.ts'
import {
  cancelScan,
  findActiveScan,
  getScanJob,
  listLibraryScanJobs,
  queueScan,
  runScanJob,
} from '../../../../src/core/scanning/index.ts'
import { deleteLibrary } from '../../../../src/core/maintenance/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { gatedProbe } from '../../../support/gated-probe.ts'
import { makeLibrary } from '../../../support/records.ts'
import { countRows, putNoise, putSample, scanServices } from '../../../support/scanning.ts'
import { startScanProcess } from '../../../support/scan-process.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const never = new AbortController().signal

/** A library whose scan blocks at the first file that needs ffprobe, in another process or in this one. */
async function setup(t: Test) {
  const { pool: db, connectionUri, environment } = await testDatabase(t)
  const top = t.testdir({ films: {} })
  const folder = join(top, 'films')
  for (let index = 0; index < 5; index += 1) await putSample(folder, `Film ${index} (2001).mp4`)
  for (let index = 0; index < 5; index += 1) putNoise(folder, `Noise ${index}.mp4`, 50 + index)
  const gate = await gatedProbe(top)
  const library = await makeLibrary(db, folder)
  const services = await scanServices({ db, connectionUri, ffprobe: join(top, 'gated-ffprobe') })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const startWorker = (): ChildProcess => startScanProcess(t, [id], { ...environment, ...gate.environment })
  const run = () => runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, never)
  return { db, library, services, gate, id, startWorker, run }
}

void t.test('a waiting job ends at once and is never run; unknown ids end nothing', async (t) => {
  const { db, library, services, id, run } = await setup(t)
  const rescan = await queueScan(services, { libraryId: library.id, type: 'rescan' })
  t.match(await cancelScan(services, { scanJobId: id }), [{ id, status: 'cancelled', completedAt: Date, error: null }])
  t.match(await run(), { id, status: 'cancelled' })
  t.match(await countRows(db), { items: 0 })
  t.match(await findActiveScan(services, library.id), { id: rescan.id }, 'the other job keeps waiting')
  t.match(await cancelScan(services, { scanJobId: id }), [], 'it has ended before')
  for (const unknown of ['x', '', '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', "' or 1=1 --"]) {
    t.strictSame(await cancelScan(services, { scanJobId: unknown }), [])
    t.strictSame(await cancelScan(services, { libraryId: unknown }), [])
  }
  t.equal((await cancelScan(services, { libraryId: library.id })).length, 1)
  t.equal(await findActiveScan(services, library.id), undefined)
})

void t.test('a job in this process stops even while it reads an endless file', async (t) => {
  const { library, services, gate, id, run } = await setup(t)
  const running = run()
  await gate.started()
  t.match(await cancelScan(services, { libraryId: library.id }), [{ id, status: 'cancelled' }])
  t.match(await running, { id, status: 'cancelled', currentPath: null }, 'the gate is still shut')
  await gate.open()
  const again = await queueScan(services, { libraryId: library.id, type: 'scan' })
  t.match(await runScanJob(services, { scanJobId: again.id, whenAborted: 'requeue' }, never), {
    status: 'completed',
    itemsFound: 10,
  })
})

void t.test('a job in another process stops too, writes nothing more, and the next one runs', async (t) => {
  const { db, library, services, gate, id, startWorker } = await setup(t)
  const worker = startWorker()
  const output = once(worker.stdout ?? worker, 'data') as Promise<[Buffer]>
  await gate.started()
  await cancelScan(services, { scanJobId: id })
  // A batch in progress has locked the job until here.
  const before = await countRows(db)
  t.match((await output)[0].toString(), /^cancelled /)
  t.strictSame(await countRows(db), before)
  await gate.open()
  const next = await queueScan(services, { libraryId: library.id, type: 'rescan' })
  t.match(await runScanJob(services, { scanJobId: next.id, whenAborted: 'requeue' }, never), { status: 'completed' })
  t.match(await countRows(db), { items: 10 })
})

void t.test('the end of a cancelled job wakes the waiting job', async (t) => {
  const { library, services, id } = await setup(t)
  const entries: string[] = []
  const jobs = {
    enqueue: async (_name: string, payload: { id: string }) => void entries.push(payload.id),
    work: async () => {},
    close: async () => {},
  }
  const rescan = await queueScan(services, { libraryId: library.id, type: 'rescan' })
  await cancelScan({ ...services, jobs }, { scanJobId: id })
  t.strictSame(entries, [rescan.id])
})

void t.test('deleting a library while another process scans it ends that scan and leaves no row', async (t) => {
  const { db, library, services, gate, id, startWorker } = await setup(t)
  const worker = startWorker()
  const exit = once(worker, 'exit')
  const output = once(worker.stdout ?? worker, 'data') as Promise<[Buffer]>
  await gate.started()
  const waiting = await queueScan(services, { libraryId: library.id, type: 'prune' })
  const { cancelledJobs } = await deleteLibrary(services, library.id)
  t.strictSame(cancelledJobs.map((job) => job.id).toSorted(), [id, waiting.id].toSorted())
  t.match((await output)[0].toString(), /^cancelled /)
  t.strictSame(await exit, [0, null])
  t.match(await countRows(db), { items: 0, streams: 0, folders: 0 })
  await t.rejects(getScanJob(services, id), { code: 'scan_job_not_found' })
  t.strictSame(await listLibraryScanJobs(services, { libraryId: library.id }), [])
  await t.rejects(deleteLibrary(services, library.id), { code: 'library_not_found' })
})

void t.test('cancelling races with the end of a job: it ends once, one way or the other', async (t) => {
  const { services, gate, id, run } = await setup(t)
  await gate.open()
  const cancelSoon = async () => {
    await waitUntil('the job runs', async () => (await getScanJob(services, id)).status !== 'queued')
    return cancelScan(services, { scanJobId: id })
  }
  const [ended, cancelled] = await Promise.all([run(), cancelSoon()])
  t.equal(ended.status, cancelled.length === 1 ? 'cancelled' : 'completed')
  t.match(await getScanJob(services, id), { status: ended.status, completedAt: Date })
})

void t.test(
  'a job that is queued while its library is being deleted answers that there is no such library',
  async (t) => {
    const { db, library, services } = await setup(t)
    const [deleted, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deleting = db.transaction(async (connection) => {
      await cancelScan({ ...services, db: connection }, { libraryId: library.id })
      await deleteLibraryRecord({ db: connection }, library.id)
      deleted.resolve()
      await mayCommit.promise
    })
    await deleted.promise
    const queued = queueScan(services, { libraryId: library.id, type: 'prune' })
    queued.catch(() => {})
    // It waits for the end of the other transaction because of the foreign key.
    await waitUntil('it waits', () => db.exists(sql.unsafe`select from pg_locks where not granted`))
    mayCommit.resolve()
    await deleting
    await t.rejects(queued, { code: 'library_not_found' })
  },
)
