import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { acquireSessionLock } from '../../../../src/core/platform/database/index.ts'
import { createMediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { getScanJob, queueScan, recoverScanJobs, runScanJob } from '../../../../src/core/scanning/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { clockInSeconds, makeLibrary } from '../../../support/records.ts'
import { beforeReading, countRows, putNoise, scanServices } from '../../../support/scanning.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { folderGates } from '../../../support/folder-gates.ts'
import { kill } from '../../../support/processes.ts'
import { startScanProcess } from '../../../support/scan-process.ts'

const FILES = 20

/** The folders of the library. */
const FOLDERS = Array.from({ length: 10 }, (_, index) => `${index}`)

/** A library of ten folders whose scan stores each file separately, and stops at the folders that are not released. */
async function setup(t: Test, { files = FILES, open = FOLDERS }: { files?: number; open?: readonly string[] } = {}) {
  const { pool: db, connectionUri, environment } = await testDatabase(t)
  const top = t.testdir({ films: {} })
  const folder = join(top, 'films')
  const gates = folderGates(top)
  gates.open(open)
  for (let index = 0; index < files; index += 1) putNoise(folder, `${index % 10}/${index}.mp4`, 50 + index)
  const library = await makeLibrary(db, folder)
  const services = {
    ...(await scanServices({ db, connectionUri, ffprobe: gates.ffprobe })),
    clock: clockInSeconds(),
  }
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const startWorker = (): ChildProcess =>
    startScanProcess(t, [id, 'store-each-file'], { ...environment, PHLIX_FFPROBE: gates.ffprobe })
  return { db, connectionUri, services, gates, id, startWorker }
}

const never = new AbortController().signal

void t.test('a killed worker loses at most one batch, and the same job continues (F-33)', async (t) => {
  const { db, services, gates, id, startWorker } = await setup(t, { open: [] })
  let items = 0
  for (const open of [FOLDERS.slice(0, 3), FOLDERS.slice(3, 6)]) {
    gates.open(open)
    const child = startWorker()
    await waitUntil('items are stored', async () => (await countRows(db)).items > items)
    await kill(child)
    const job = await getScanJob(services, id)
    t.match(job, { status: 'running' }, 'the killed worker could not update the row')
    items = (await countRows(db)).items
    t.equal(job.itemsAdded, items, 'the row counts exactly the existing items')
    await waitUntil('the job is taken back', async () => (await recoverScanJobs(services)) > 0)
    t.match(await getScanJob(services, id), { id, status: 'queued' })
  }
  gates.open(FOLDERS)
  services.probed.length = 0
  const job = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  t.match(job, {
    id,
    status: 'completed',
    itemsFound: FILES,
    itemsUpdated: FILES,
    itemsAdded: FILES,
    itemsFailed: FILES,
  })
  t.equal(services.probed.length, FILES - items, 'stored files are not read again')
  t.match(await countRows(db), { items: FILES, folders: 11 })
})

void t.test('the job of a live worker is not claimed by another', async (t) => {
  const { services, gates, id, startWorker } = await setup(t, { open: [] })
  const child = startWorker()
  await waitUntil('the job runs', async () => (await getScanJob(services, id)).status === 'running')
  t.equal(await recoverScanJobs(services), 0)
  const seen = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  t.match(seen, { id, status: 'running' }, 'the row as it is')
  t.strictSame(services.probed, [])
  const output = once(child.stdout ?? child, 'data') as Promise<[Buffer]>
  gates.open(FOLDERS)
  t.equal((await output)[0].toString(), `completed ${FILES}\n`)
})

void t.test('of two workers that race for one job only one runs it (F-33)', async (t) => {
  const { services, id } = await setup(t, { files: 10 })
  const run = () => runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  const answers = await Promise.all([run(), run(), run(), run()])
  t.equal(answers.filter(({ status }) => status === 'completed').length, 1)
  t.equal(services.probed.length, 10)
  t.match(await run(), { status: 'completed' }, 'a job that has ended is not run again')
  t.equal(services.probed.length, 10)
})

void t.test(
  'an interrupted scan ends cancelled, or goes back to the queue, and keeps what it has stored',
  async (t) => {
    const { db, services, id } = await setup(t)
    const stop = async (whenAborted: 'cancel' | 'requeue') => {
      const stopping = new AbortController()
      const running = runScanJob(services, { scanJobId: id, whenAborted }, stopping.signal, ({ itemsAdded }) => {
        if (itemsAdded > 0) stopping.abort()
      })
      return running
    }
    t.match(await stop('requeue'), { id, status: 'queued', completedAt: null, currentPath: null, error: null })
    const { items } = await countRows(db)
    t.ok(items > 0 && items < FILES)
    t.match(await stop('cancel'), { id, status: 'cancelled', completedAt: Date, error: null })
  },
)

void t.test('a scan that is stopped before it began stores nothing', async (t) => {
  const { db, services, id } = await setup(t, { files: 3 })
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, AbortSignal.abort()), {
    status: 'queued',
  })
  t.match(await countRows(db), { items: 0 })
})

void t.test('a worker whose lock is lost stops writing, and another worker continues', async (t) => {
  const { db, services, id } = await setup(t)
  const cut = async (): Promise<void> => {
    await db.query(sql.unsafe`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'phlix lock scan:%'
        and datname = current_database()`)
  }
  // In the middle: no file of a later folder is read before the connection is cut.
  const [begun, isCut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  beforeReading(services, (path) => (path.includes('/9/') ? isCut.promise : undefined))
  const running = runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never, ({ itemsAdded }) => {
    if (itemsAdded > 0) begun.resolve()
  })
  await begun.promise
  await cut()
  isCut.resolve()
  const job = await running
  t.match(job, { status: 'running' }, 'left for recovery')
  t.equal(await recoverScanJobs(services), 1)
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), {
    status: 'completed',
    itemsAdded: FILES,
  })
  t.match(await countRows(db), { items: FILES })
})

void t.test('a held lock prevents a job from being run', async (t) => {
  const { connectionUri, services, id } = await setup(t, { files: 1 })
  const lock = await acquireSessionLock({ connectionUri, key: `scan:${id}`, mode: 'exclusive' })
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), { status: 'queued' })
  await lock?.release()
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), { status: 'completed' })
})

void t.test('without ffprobe a scan fails as a whole instead of blaming every file', async (t) => {
  const { db, services, id } = await setup(t, { files: 3 })
  const config = loadConfig({ environment: {}, flags: { 'media.ffprobe': '/nonexistent/ffprobe' } })
  const mediaTools = createMediaTools({ config, log: services.log })
  const job = await runScanJob({ ...services, mediaTools }, { scanJobId: id, whenAborted: 'cancel' }, never)
  t.match(job, { status: 'failed', error: /ffprobe/ })
  t.match(await countRows(db), { items: 0 })
})

void t.test('waiting jobs get their queue entry back, and the end of one job wakes the next', async (t) => {
  const { services, id } = await setup(t, { files: 1 })
  const entries: string[] = []
  const jobs = {
    enqueue: async (_name: string, payload: { id: string }) => void entries.push(payload.id),
    work: async () => {},
    close: async () => {},
  }
  t.equal(await recoverScanJobs({ ...services, jobs }), 0)
  t.strictSame(entries, [id])
  const { libraryId } = await getScanJob(services, id)
  const rescan = await queueScan({ ...services, jobs }, { libraryId, type: 'rescan' })
  t.strictSame(entries, [id, rescan.id])
  await runScanJob({ ...services, jobs }, { scanJobId: id, whenAborted: 'requeue' }, never)
  t.strictSame(entries, [id, rescan.id, rescan.id])
})

void t.test('a scan goes back to the queue when the database ends every connection', async (t) => {
  const { db, services, id } = await setup(t)
  let isCut = false
  const cut = async (): Promise<void> => {
    isCut = true
    await db.query(sql.unsafe`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name not like 'phlix lock %'`)
  }
  const run = async (): Promise<string> => {
    const job = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never, () => {
      if (!isCut) void cut()
    })
    return job.status
  }
  const statuses: string[] = []
  while (statuses.at(-1) !== 'completed' && statuses.length < 20) statuses.push(await run())
  t.equal(statuses.at(-1), 'completed', statuses.join(' '))
  t.match(await countRows(db), { items: FILES })
})
