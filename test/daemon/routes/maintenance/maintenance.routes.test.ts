import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'slonik'
import t from 'tap'
import { createLibrary } from '../../../../src/core/libraries/index.ts'
import { recoverMaintenanceJobs, runMaintenanceJob } from '../../../../src/core/maintenance/index.ts'
import { releaseVersion } from '../../../../src/core/platform/config/index.ts'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { testServices } from '../../../support/services.ts'

const asked: string[] = []
let answer: RequestListener = (_, reply) => reply.end('{}')
const registry = createServer((request, reply) => {
  asked.push(request.url ?? '')
  answer(request, reply)
})
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
t.teardown(() => registry.close())
const { port } = registry.address() as AddressInfo
const services = await testServices(t, { environment: { PHLIX_UPDATE_REGISTRY: `http://127.0.0.1:${port}/npm/` } })
const { db } = services
const app = await startApp(t, { services })
const { token, account } = await app.registerAdmin()
const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
  app.ask(method, `/api/v1/admin${path}`, { token, ...(body === undefined ? {} : { body }) })
const idOf = ({ json }: Answer): string => String(pick(json, 'data', 'job', 'id'))

void t.test('the tasks are listed with their mode', async (t) => {
  const { json } = await as('GET', '/maintenance/tasks')
  const modes = (pick(json, 'data') as { task: string; mode: string }[]).map(({ task, mode }) => [task, mode])
  t.strictSame(Object.fromEntries(modes), {
    'storage-snapshot': 'queued',
    'reap-scan-jobs': 'sync',
    'reap-transcode-jobs': 'sync',
    'cleanup-orphaned-stats': 'sync',
    'dedupe-paths': 'queued',
  })
})

void t.test('a queued task becomes one job, which runs, ends and stays listed', async (t) => {
  const first = await as('POST', '/maintenance/storage-snapshot', {})
  t.match(first, {
    status: 202,
    json: { task: 'storage-snapshot', created: true, data: { job: { status: 'queued', requested_by: account.id } } },
  })
  const second = await as('POST', '/maintenance/storage-snapshot')
  t.match(second, { status: 200, json: { created: false } }, 'a second run would do the same')
  t.equal(idOf(second), idOf(first))
  await createLibrary(services, { name: 'Films', type: 'movie', path: reachableDirectory(t) })
  await runMaintenanceJob(services, idOf(first))
  await runMaintenanceJob(services, idOf(first))
  t.match((await as('GET', `/maintenance/jobs/${idOf(first)}`)).json, { data: { status: 'completed', error: null } })
  t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from storage_snapshots`), 1)
  const again = await as('POST', '/maintenance/dedupe-paths', { apply: true, batch_size: 10 })
  t.match(again, { status: 202, json: { data: { job: { params: { apply: true } } } } })
  await runMaintenanceJob(services, idOf(again))
  t.match((await as('GET', '/maintenance/jobs?task=dedupe-paths')).json, {
    data: [{ id: idOf(again), status: 'completed', result: { dry_run: false, shared_paths: 0, deleted: 0 } }],
  })
  t.equal((pick((await as('GET', '/maintenance/jobs?limit=1')).json, 'data') as unknown[]).length, 1)
  t.strictSame(pick((await as('GET', '/maintenance/jobs?task=reap-scan-jobs')).json, 'data'), [])
  t.match(await as('GET', '/maintenance/jobs?task=rm'), { status: 400, json: { code: 'maintenance_task_unknown' } })
  for (const id of ['x', '%00', '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']) {
    t.match(await as('GET', `/maintenance/jobs/${id}`), { status: 404, json: { code: 'maintenance_job_not_found' } })
  }
  t.equal((await as('POST', '/maintenance/dedupe-paths', { apply: 'false' })).status, 400, 'no text is a yes')
})

void t.test('a job of a killed server runs again, and a failure is stored', async (t) => {
  const id = idOf(await as('POST', '/maintenance/storage-snapshot'))
  await db.query(sql.unsafe`update maintenance_jobs set status = 'running', started_at = now() where id = ${id}`)
  const queued: string[] = []
  const jobs = { ...services.jobs, enqueue: async (_: string, payload: { id: string }) => void queued.push(payload.id) }
  await recoverMaintenanceJobs({ db, jobs })
  t.strictSame(queued, [id])
  await db.query(sql.unsafe`alter table storage_snapshots rename to elsewhere`)
  await runMaintenanceJob(services, id)
  await db.query(sql.unsafe`alter table elsewhere rename to storage_snapshots`)
  t.match((await as('GET', `/maintenance/jobs/${id}`)).json, { data: { status: 'failed', error: /\S/, result: null } })
  const next = await as('POST', '/maintenance/storage-snapshot')
  t.equal(next.status, 202, 'a failed one does not block the next')
  await db.query(
    sql.unsafe`update maintenance_jobs set status = 'running', started_at = now() where id = ${idOf(next)}`,
  )
  await runMaintenanceJob(services, idOf(next))
  t.match(
    (await as('GET', `/maintenance/jobs/${idOf(next)}`)).json,
    { data: { status: 'completed' } },
    'nor a lost one',
  )
})

void t.test('the other tasks answer with their result', async (t) => {
  t.strictSame((await as('POST', '/maintenance/reap-scan-jobs', { older_than_seconds: 60 })).json, {
    success: true,
    task: 'reap-scan-jobs',
    data: { reaped: 0, older_than_seconds: 0, requested_older_than_seconds: 60, floor_applied: false },
  })
  for (const [given, applied] of [
    [{}, 604_800],
    [{ older_than_seconds: 0 }, 86_400],
    [{ older_than_seconds: 900_000 }, 900_000],
  ] as const) {
    t.match((await as('POST', '/maintenance/reap-transcode-jobs', given)).json, {
      data: { reaped: 0, older_than_seconds: applied },
    })
  }
  t.equal((await as('POST', '/maintenance/reap-transcode-jobs', { older_than_seconds: -1 })).status, 400)
  t.match((await as('POST', '/maintenance/cleanup-orphaned-stats')).json, {
    data: { deleted: { 'play_days.plays': 0 }, total: 0, truncated: false },
  })
})

void t.test('nobody is asked about releases until an administrator has switched it on', async (t) => {
  const unknown = { latestVersion: null, updateAvailable: false, lastCheckedAt: null, lastError: null }
  t.match((await as('GET', '/updates/status')).json, {
    data: { ...unknown, currentVersion: releaseVersion(), checkEnabled: false, updateCommand: '' },
  })
  t.match(await as('POST', '/updates/check'), { status: 409, json: { code: 'update_check_off' } })
  t.strictSame(asked, [])
})

void t.test('a newer release is shown, and what is no version never reaches a command line', async (t) => {
  await changeSettings(services, { 'updates.check_enabled': true })
  const check = async (body: string, status = 200) => {
    answer = (_, reply) => reply.writeHead(status).end(body)
    return pick((await as('POST', '/updates/check')).json, 'data')
  }
  t.match(await check('{"latest":"99.1.0"}'), {
    latestVersion: '99.1.0',
    updateAvailable: true,
    lastError: null,
    updateCommand: 'npm install --global ./phlix-99.1.0.tgz',
  })
  t.strictSame(asked, ['/npm/-/package/phlix/dist-tags'])
  const kept = { latestVersion: '99.1.0', updateAvailable: true }
  for (const text of ['', '[]', '{}', '{"latest":1}', '{"latest":"1.0.0; rm -rf /"}', '{"latest":"1.0.0-$(id)"}']) {
    t.match(await check(text), { ...kept, lastError: /names no version/ }, text)
  }
  t.match(await check('', 404), { ...kept, lastError: /no release/ })
  t.match(await check('', 503), { ...kept, lastError: /503/ })
  t.match(await check(' '.repeat(65 * 1024)), { ...kept, lastError: /\S/ }, 'a reply without an end')
  answer = (_, reply) => reply.writeHead(302, { location: '/else' }).end()
  t.match(pick((await as('POST', '/updates/check')).json, 'data'), { ...kept, lastError: /redirects/ })
  t.match(await check(`{"latest":"${releaseVersion()}"}`), { updateAvailable: false, updateCommand: '' })
  t.match(await check('{"latest":"0.0.1"}'), { updateAvailable: false }, 'nothing older')
})
