import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import {
  findActiveScan,
  getScanJob,
  findLatestScan,
  listLibraryScanJobs,
  queueScan,
  runScanJob,
} from '../../../../src/core/scanning/index.ts'
import { claimScanJob, findScanJob, endOrRequeueJob } from '../../../../src/core/scanning/queries/jobs.ts'
import { testDatabase } from '../../../support/database.ts'
import { makeLibrary } from '../../../support/records.ts'
import { scanServices } from '../../../support/scanning.ts'

async function setup(t: Test) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const library = await makeLibrary(db, t.testdir())
  const services = { db, clock: systemClock }
  const queue = (type: 'scan' | 'rescan') => queueScan(services, { libraryId: library.id, type })
  return { db, connectionUri, library, services, queue }
}

void t.test('fifty requests at once for one scan queue one job', async (t) => {
  const { queue, library, services } = await setup(t)
  const jobs = await Promise.all(Array.from({ length: 50 }, () => queue('scan')))
  t.equal(new Set(jobs.map(({ id }) => id)).size, 1)
  t.equal((await listLibraryScanJobs(services, { libraryId: library.id })).length, 1)
})

void t.test('a scan and a rescan may wait together, and one more may wait beside a running one', async (t) => {
  const { db, queue, library, services } = await setup(t)
  const first = await queue('scan')
  const rescan = await queue('rescan')
  t.not(rescan.id, first.id)
  await claimScanJob(db, { id: first.id, now: new Date() })
  const second = await queue('scan')
  t.not(second.id, first.id)
  t.equal((await queue('scan')).id, second.id)
  t.equal((await findActiveScan(services, library.id))?.id, first.id, 'the running one comes first')
})

void t.test('a queued job becomes forced when it is requested again with force', async (t) => {
  const { db, library, services } = await setup(t)
  const job = await queueScan(services, { libraryId: library.id, type: 'rescan' })
  await queueScan(services, { libraryId: library.id, type: 'rescan', force: true })
  await queueScan(services, { libraryId: library.id, type: 'rescan' })
  t.match(await claimScanJob(db, { id: job.id, now: new Date() }), { options: { force: true } })
})

void t.test('of one library one job runs at a time', async (t) => {
  const { db, connectionUri, queue } = await setup(t)
  const scan = await queue('scan')
  const rescan = await queue('rescan')
  const claimed = await claimScanJob(db, { id: scan.id, now: new Date() })
  const services = await scanServices({ db, connectionUri })
  const run = (id: string) =>
    runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  t.match(await run(rescan.id), { id: rescan.id, status: 'queued' }, 'the other job keeps waiting')
  await endOrRequeueJob(db, {
    id: scan.id,
    attempt: claimed?.attempt ?? 0,
    status: 'completed',
    error: null,
    now: new Date(),
  })
  t.match(await run(rescan.id), { id: rescan.id, status: 'completed' })
})

void t.test('a superseded worker can no longer write to the row', async (t) => {
  const { db, queue } = await setup(t)
  const { id } = await queue('scan')
  const early = await claimScanJob(db, { id, now: new Date() })
  const late = await claimScanJob(db, { id, now: new Date() })
  t.equal(late?.attempt, (early?.attempt ?? 0) + 1)
  t.strictSame(late?.startedAt, early?.startedAt, 'a job started when it first started')
  const end = { id, status: 'failed', error: 'x', now: new Date() } as const
  t.equal(await endOrRequeueJob(db, { ...end, attempt: early?.attempt ?? 0 }), undefined)
  t.match(await findScanJob(db, id), { status: 'running' })
  t.match(await endOrRequeueJob(db, { ...end, attempt: late?.attempt ?? 0 }), { status: 'failed', completedAt: Date })
})

void t.test('history is newest first and clamped', async (t) => {
  const { db, queue, library, services } = await setup(t)
  const ids: string[] = []
  for (let index = 0; index < 25; index += 1) {
    const { id } = await queue('scan')
    ids.unshift(id)
    await claimScanJob(db, { id, now: new Date() })
    await endOrRequeueJob(db, { id, attempt: 1, status: 'completed', error: null, now: new Date() })
  }
  const history = async (limit?: number) => {
    const jobs = await listLibraryScanJobs(services, { libraryId: library.id, ...(limit !== undefined && { limit }) })
    return jobs.map(({ id }) => id)
  }
  t.strictSame(await history(), ids.slice(0, 20))
  t.strictSame(await history(3), ids.slice(0, 3))
  t.equal((await history(0)).length, 1)
  t.equal((await history(Number.NaN)).length, 20)
  t.equal((await history(1000)).length, 25)
  t.equal((await findLatestScan(services, library.id))?.id, ids[0])
  t.equal(await findLatestScan(services, '00000000-0000-4000-8000-000000000000'), undefined)
})

void t.test('history keeps the newest 200 ended jobs of a library', async (t) => {
  const { db, connectionUri, queue, library } = await setup(t)
  await db.query(sql.unsafe`
    insert into scan_jobs (library_id, type, status, queued_at, completed_at)
    select ${library.id}, 'scan', 'completed', now() - n * interval '1 hour', now() from generate_series(1, 250) n`)
  const { id } = await queue('scan')
  const services = await scanServices({ db, connectionUri })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from scan_jobs`), 200)
  t.match(await getScanJob(services, id), { status: 'completed' })
})

void t.test('an unknown library or job is reported, not queued', async (t) => {
  const { services } = await setup(t)
  await t.rejects(queueScan(services, { libraryId: 'x', type: 'scan' }), { code: 'library_not_found' })
  for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
    await t.rejects(getScanJob(services, id), { code: 'scan_job_not_found' })
  }
})
