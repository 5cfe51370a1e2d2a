import { mkdir, rm } from 'node:fs/promises'
import { sql } from 'slonik'
import t from 'tap'
import { queueScan } from '../../../src/core/scanning/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, siblingOfDataDirectory, temporaryDataDirectory } from '../../support/phlix.ts'
import { makeLibrary } from '../../support/records.ts'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const films = siblingOfDataDirectory(data, 'films')
await mkdir(films)
t.teardown(() => rm(films, { recursive: true, force: true }))
const library = await makeLibrary(db, films, 'Films')
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

void t.test('jobs are listed by state, shown, cancelled and repeated', async (t) => {
  t.match(await run('job:list'), { code: 0, stdout: 'No jobs\n' })
  const { id } = await queueScan({ db, clock: systemClock }, { libraryId: library.id, type: 'rescan', force: true })
  t.match(JSON.parse((await run('job:list', '--state', 'queued', '--json')).stdout), { jobs: [{ id, type: 'rescan' }] })
  t.match(JSON.parse((await run('job:list', '--state', 'running', '--json')).stdout), { jobs: [] })
  t.match((await run('job:list', '--plain')).stdout, new RegExp(`^${id}\t.*\tFilms\trescan\tqueued\t0/0\t\n$`))
  t.match(await run('job:retry', id), { code: 1, stderr: /The job is queued \(job_not_ended\)/ })
  t.match(JSON.parse((await run('job:cancel', id, '--json')).stdout), {
    job: { id, status: 'cancelled' },
    cancelled: true,
  })
  t.match(await run('job:cancel', id), { code: 0, stdout: `${id} had already ended: cancelled.\n` })
  const { job } = JSON.parse((await run('job:retry', id, '--json')).stdout) as { job: { id: string } }
  t.match(job, { type: 'rescan', status: 'queued' })
  t.not(job.id, id)
  const options = await db.oneFirst(sql.unsafe`select options::text from scan_jobs where id = ${job.id}`)
  t.match(options, /"force": true/, 'with the same options')
  t.match(JSON.parse((await run('job:list', '--state', 'queued', '--state', 'cancelled', '--json')).stdout), {
    jobs: [{ id: job.id }, { id }],
  })
})

void t.test('job:show lists what a job could not process', async (t) => {
  const { id } = await queueScan({ db, clock: systemClock }, { libraryId: library.id, type: 'scan' })
  await db.query(sql.unsafe`
    insert into scan_failures (scan_job_id, path_hash, path, code, reason, occurred_at)
    values (${id}, sha256('x'), '/films/x.mkv', 'EACCES', 'permission denied', now())`)
  t.match((await run('job:show', id)).stdout, /^failed +\/films\/x\.mkv: permission denied$/m)
  t.match(JSON.parse((await run('job:show', id, '--json')).stdout), {
    job: { id },
    failures: [{ path: '/films/x.mkv', code: 'EACCES', reason: 'permission denied' }],
  })
})

void t.test('unknown jobs are 66, unknown states 2', async (t) => {
  for (const command of ['job:show', 'job:cancel', 'job:retry']) {
    for (const id of [UNKNOWN, 'x']) t.equal((await run(command, id)).code, 66, `${command} ${id}`)
  }
  t.equal((await run('job:list', '--state', 'lost')).code, 2)
})
