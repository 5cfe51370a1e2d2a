import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { acquireSessionLock } from '../../../src/core/platform/database/index.ts'
import { createMediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { getScanJob, queueScan, recoverScanJobs, runScanJob } from '../../../src/core/scanning/index.ts'
import { testDatabase } from '../../support/database.ts'
import { makeLibrary } from '../../support/records.ts'
import { countRows, putNoise, scanServices, slowFfprobe } from '../../support/scanning.ts'

const FILES = 60

/** A library that takes some seconds to scan. */
async function setup(t: Test, files = FILES) {
  const { pool: db, connectionUri, environment } = await testDatabase(t)
  const top = t.testdir({ films: {} })
  const folder = join(top, 'films')
  const ffprobe = slowFfprobe(top)
  for (let index = 0; index < files; index += 1) putNoise(folder, `${index % 10}/${index}.mp4`, 50 + index)
  const library = await makeLibrary(db, folder)
  const services = await scanServices({ db, connectionUri, ffprobe })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  const startWorker = (): ChildProcess => {
    const script = join(import.meta.dirname, '../../support/scan-worker.ts')
    const child = spawn(process.execPath, [script, id], {
      env: { ...process.env, ...environment, PHLIX_FFPROBE: ffprobe },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    return child
  }
  return { db, connectionUri, services, id, startWorker }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(50)
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const never = new AbortController().signal

void t.test('a worker that is killed loses at most one batch, and the same job goes on', async (t) => {
  const { db, services, id, startWorker } = await setup(t)
  let items = 0
  for (let kills = 0; kills < 2; kills += 1) {
    const child = startWorker()
    await until(async () => (await countRows(db)).items > items)
    await kill(child)
    const job = await getScanJob(services, id)
    t.match(job, { status: 'running' }, 'nobody could say goodbye')
    items = (await countRows(db)).items
    t.equal(job.itemsAdded, items, 'the row counts exactly what is there')
    await until(async () => (await recoverScanJobs(services)) > 0)
    t.match(await getScanJob(services, id), { id, status: 'queued' })
  }
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
  t.equal(services.probed.length, FILES - items, 'what was stored is not read again')
  t.match(await countRows(db), { items: FILES, folders: 11 })
})

void t.test('while a worker lives its job is not taken up by another', async (t) => {
  const { services, id, startWorker } = await setup(t, 30)
  const child = startWorker()
  await until(async () => (await getScanJob(services, id)).status === 'running')
  t.equal(await recoverScanJobs(services), 0)
  const seen = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  t.match(seen, { id, status: 'running' }, 'the row as it is')
  t.strictSame(services.probed, [])
  const [output] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  t.equal(output.toString(), 'completed 30\n')
})

void t.test('of two workers that race for one job one works', async (t) => {
  const { services, id } = await setup(t, 20)
  const run = () => runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never)
  const answers = await Promise.all([run(), run(), run(), run()])
  t.equal(answers.filter(({ status }) => status === 'completed').length, 1)
  t.equal(services.probed.length, 20)
  t.match(await run(), { status: 'completed' }, 'a job that has ended is not run again')
  t.equal(services.probed.length, 20)
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
  const { db, services, id } = await setup(t, 3)
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, AbortSignal.abort()), {
    status: 'queued',
  })
  t.match(await countRows(db), { items: 0 })
})

void t.test('a worker whose lock is lost stops writing, and another goes on', async (t) => {
  const { db, services, id } = await setup(t)
  const cut = async (): Promise<void> => {
    await db.query(sql.unsafe`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'phlix lock scan:%'
        and datname = current_database()`)
  }
  let cuts = 0
  const job = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never, () => {
    cuts += 1
    if (cuts === 1) void cut()
  })
  t.match(job, { status: 'running' }, 'left for whoever finds it')
  t.equal(await recoverScanJobs(services), 1)
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), {
    status: 'completed',
    itemsAdded: FILES,
  })
  t.match(await countRows(db), { items: FILES })
})

void t.test('a lock alone keeps a job from being run', async (t) => {
  const { connectionUri, services, id } = await setup(t, 1)
  const lock = await acquireSessionLock({ connectionUri, key: `scan:${id}`, mode: 'exclusive' })
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), { status: 'queued' })
  await lock?.release()
  t.match(await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, never), { status: 'completed' })
})

void t.test('without ffprobe a scan fails as a whole instead of blaming every file', async (t) => {
  const { db, services, id } = await setup(t, 3)
  const config = loadConfig({ environment: {}, flags: { 'media.ffprobe': '/nonexistent/ffprobe' } })
  const mediaTools = createMediaTools({ config, log: services.log })
  const job = await runScanJob({ ...services, mediaTools }, { scanJobId: id, whenAborted: 'cancel' }, never)
  t.match(job, { status: 'failed', error: /ffprobe/ })
  t.match(await countRows(db), { items: 0 })
})

void t.test('waiting jobs get their queue entry back, and the end of one job wakes the next', async (t) => {
  const { services, id } = await setup(t, 1)
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
