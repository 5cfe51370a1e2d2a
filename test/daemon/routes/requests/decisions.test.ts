import { sql } from 'slonik'
import t from 'tap'
import { checkImportedRequests } from '../../../../src/core/requests/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { startFakeRadarr } from '../../../support/fake-radarr.ts'
import { startFakeSonarr } from '../../../support/fake-sonarr.ts'
import { testServices } from '../../../support/services.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const MOVIE = { type: 'movie', catalog_id: 603, title: 'The Matrix' }
const EPISODE = { type: 'series', catalog_id: 1396, title: 'Breaking Bad', season: 1, episode: 2 }
const [OWN, ADMIN] = ['/api/v1/me/requests', '/api/v1/admin/requests']

const radarr = await startFakeRadarr(t)
const sonarr = await startFakeSonarr(t)
const flags = {
  'acquisition.radarr.url': radarr.url,
  'acquisition.radarr.api_key': radarr.apiKey,
  'acquisition.sonarr.url': sonarr.url,
  'acquisition.sonarr.api_key': sonarr.apiKey,
  'acquisition.timeout_seconds': '20',
}
const services = await testServices(t, { flags })
const patient = await startApp(t, { services })
const { app, ask, registerAdmin, registerUser } = patient
/** The same application with a timeout of one second, for a Radarr that never responds. */
const { options } = services.config
const hasty = await startApp(t, {
  services: { ...services, config: { ...services.config, options: { ...options, 'acquisition.timeout_seconds': 1 } } },
})
const admin = await registerAdmin()
const owner = await registerUser()

t.beforeEach(() => {
  Object.assign(radarr, { behaviour: 'well', beforeAnswer: () => undefined })
  for (const list of [radarr.movies, radarr.calls, sonarr.series, sonarr.calls]) list.length = 0
})

async function submit(body: object = MOVIE): Promise<string> {
  return String(pick((await ask('POST', OWN, { token: owner.token, body })).json, 'request', 'id'))
}

async function rowOf(id: string): Promise<unknown> {
  return pick((await ask('GET', `${OWN}/${id}`, { token: owner.token })).json, 'request')
}

const approve = (id: string): Promise<Answer> => ask('POST', `${ADMIN}/${id}/approve`, { token: admin.token })
const deny = (id: string, body?: unknown): Promise<Answer> =>
  ask('POST', `${ADMIN}/${id}/deny`, { token: admin.token, ...(body === undefined ? {} : { body }) })

/** Status and body as text, for byte-wise comparison. */
const told = ({ status, text }: Answer): string => `${status} ${text}`

void t.test('an approved movie is fetched by Radarr, and available once Radarr says so when asked', async (t) => {
  const id = await submit()
  t.match(await rowOf(id), { status: 'pending' })
  t.equal(told(await approve(id)), `200 {"message":"Request approved","request_id":"${id}"}`)
  t.match(await rowOf(id), { status: 'approved', rejection_reason: null })
  t.match(radarr.movies, [{ tmdbId: 603, monitored: true }])
  const { signal } = new AbortController()
  t.equal(await checkImportedRequests(services, signal), 0)
  t.match(await rowOf(id), { status: 'approved' })
  Object.assign(radarr.movies[0] ?? {}, { hasFile: true })
  const heard: unknown[] = []
  const stop = services.events.subscribe('request.answered', (event) => heard.push(event))
  t.equal(await checkImportedRequests(services, signal), 1)
  t.match(await rowOf(id), { status: 'available' })
  t.match(heard, [{ requestId: id, userId: owner.account.id, status: 'available' }], 'the requester is notified')
  t.equal(await checkImportedRequests(services, signal), 0, 'once')
  t.equal(heard.length, 1)
  stop()
})

void t.test('an approved episode is fetched by Sonarr, and available once Sonarr has its file', async (t) => {
  const id = await submit(EPISODE)
  t.equal((await approve(id)).status, 200)
  t.match(sonarr.series, [{ tvdbId: 81_189 }])
  sonarr.imports(1, 1, [1])
  const { signal } = new AbortController()
  await checkImportedRequests(services, signal)
  t.match(await rowOf(id), { status: 'approved' }, 'another episode is not it')
  sonarr.imports(1, 1, [2])
  await checkImportedRequests(services, signal)
  t.match(await rowOf(id), { status: 'available' })
})

void t.test('an unresponsive server delays its own requests only', async (t) => {
  const [film, episode] = [await submit(), await submit(EPISODE)]
  for (const id of [film, episode]) await approve(id)
  const row = sonarr.series.at(-1)
  sonarr.imports(row?.id ?? 0, 1, [2])
  radarr.behaviour = 'failing'
  t.equal(await checkImportedRequests(services, new AbortController().signal), 1)
  t.match(await rowOf(episode), { status: 'available' })
  t.match(await rowOf(film), { status: 'approved' })
})

void t.test('a refused request is rejected with its reason, which its owner reads', async (t) => {
  const heard: unknown[] = []
  const stop = services.events.subscribe('request.answered', (event) => heard.push(event))
  for (const [body, reason] of [
    [{ reason: '  Not now. ' }, 'Not now.'],
    [{ reason: '' }, null],
    [{ reason: null }, null],
    [{}, null],
    [undefined, null],
  ] as const) {
    const id = await submit()
    t.equal(told(await deny(id, body)), `200 {"message":"Request denied","request_id":"${id}"}`)
    t.match(await rowOf(id), { status: 'rejected', rejection_reason: reason })
  }
  t.equal(heard.length, 5)
  t.match(heard[0], { userId: owner.account.id, status: 'rejected', rejectionReason: 'Not now.' })
  stop()
  const id = await submit()
  for (const reason of [5, ['x'], { a: 1 }, 'x'.repeat(1001), 'a\0b', '\uD800']) {
    t.match(await deny(id, { reason }), { status: 400, json: { code: 'invalid_request', field: 'reason' } })
  }
  t.match(await rowOf(id), { status: 'pending' })
})

void t.test('a decision cannot be changed', async (t) => {
  const conflict = '409 {"error":"Request is not pending","code":"request_not_pending"}'
  const [approved, denied] = [await submit(), await submit()]
  await approve(approved)
  await deny(denied)
  for (const id of [approved, denied]) {
    t.equal(told(await approve(id)), conflict)
    t.equal(told(await deny(id, { reason: 'x' })), conflict)
    t.equal(told(await ask('DELETE', `${OWN}/${id}`, { token: owner.token })), conflict)
  }
  t.match(await rowOf(approved), { status: 'approved', rejection_reason: null })
  t.match(await rowOf(denied), { status: 'rejected' })
})

void t.test('only administrators decide, and nothing is added otherwise (AZ-02)', async (t) => {
  const id = await submit()
  for (const word of ['approve', 'deny']) {
    const path = `${ADMIN}/${id}/${word}`
    t.equal(told(await ask('POST', path)), '401 {"error":"Unauthorized","code":"auth.required"}')
    const refusal = '403 {"error":"Forbidden","code":"admin_required"}'
    t.equal(told(await ask('POST', path, { token: owner.token, body: { reason: 'x' } })), refusal)
  }
  t.match(await rowOf(id), { status: 'pending' })
  t.strictSame(radarr.calls, [])
})

void t.test('every error of the interface has its documented status and message', async (t) => {
  const missing = '404 {"error":"Request not found","code":"request_not_found"}'
  for (const id of [UNKNOWN, '1', '%27%20or%201%3D1']) {
    t.equal(told(await approve(id)), missing, id)
    t.equal(told(await deny(id)), missing, id)
  }
  const post = async (body: object): Promise<string> => told(await ask('POST', OWN, { token: owner.token, body }))
  t.equal(await post({ ...MOVIE, type: 'x' }), '400 {"error":"type must be movie or series","code":"invalid_type"}')
  t.equal(
    await post({ ...MOVIE, catalog_id: 0 }),
    '400 {"error":"catalog_id must be a positive integer","code":"invalid_catalog_id"}',
  )
  t.equal(await post({ ...MOVIE, title: '' }), '400 {"error":"title is required","code":"missing_title"}')
  const id = await submit()
  t.equal(
    told(await ask('GET', `${OWN}/${id}`, { token: admin.token })),
    '403 {"error":"Not the owner of the request","code":"not_request_owner"}',
  )
  t.equal(told(await ask('GET', ADMIN, { token: owner.token })), '403 {"error":"Forbidden","code":"admin_required"}')
})

void t.test(
  'approve_failed: Radarr is unreachable, fails, refuses, answers garbage or never; the request stays pending',
  async (t) => {
    const failed = '500 {"error":"Approve failed","code":"approve_failed"}'
    for (const behaviour of ['away', 'failing', 'refusing', 'rubbish', 'foreign', 'redirecting', 'silent'] as const) {
      const id = await submit()
      radarr.behaviour = behaviour
      const { ask: askApp } = behaviour === 'silent' ? hasty : patient
      t.equal(told(await askApp('POST', `${ADMIN}/${id}/approve`, { token: admin.token })), failed, behaviour)
      t.match(await rowOf(id), { status: 'pending' }, behaviour)
      radarr.behaviour = 'well'
      t.equal((await approve(id)).status, 200, `after ${behaviour} it can be approved`)
      radarr.movies.length = 0
    }
    t.equal(told(await approve(await submit({ ...MOVIE, catalog_id: 999 }))), failed, 'an id that it does not know')
  },
)

void t.test('deny_failed: the decision could not be written; the request stays pending', async (t) => {
  const id = await submit()
  await services.db.query(sql.unsafe`
    alter table media_requests add constraint refuse_denials check (rejection_reason <> 'unwritable')`)
  t.equal(told(await deny(id, { reason: 'unwritable' })), '500 {"error":"Deny failed","code":"deny_failed"}')
  t.match(await rowOf(id), { status: 'pending', rejection_reason: null })
})

void t.test('ten administrators who approve at once send one add; one is answered 200, the others 409', async (t) => {
  const id = await submit()
  let arrived = 0
  const count = (): void => void (arrived += 1)
  app.server.on('request', count)
  t.teardown(() => app.server.off('request', count))
  radarr.beforeAnswer = () => waitUntil('all ten have come', () => arrived === 10)
  const answers = await Promise.all(Array.from({ length: 10 }, () => approve(id)))
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
  t.strictSame(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
  t.strictSame(
    radarr.calls.filter((call) => call === 'POST /movie'),
    ['POST /movie'],
  )
})

void t.test('a refusal or withdrawal that comes while Radarr is being asked waits, and is too late', async (t) => {
  const id = await submit()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let reached: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (reached = resolve))
  radarr.beforeAnswer = () => {
    reached()
    return held
  }
  const approving = approve(id)
  await asked
  const late = [deny(id), ask('DELETE', `${OWN}/${id}`, { token: owner.token })]
  t.match(await rowOf(id), { status: 'pending' })
  release()
  t.equal((await approving).status, 200)
  for (const answer of await Promise.all(late)) t.equal(answer.status, 409)
  t.match(await rowOf(id), { status: 'approved' })
})

void t.test('requests of several people for one movie are one movie in Radarr', async (t) => {
  const ids = [await submit(), await submit(), await submit()]
  const answers = await Promise.all(ids.map(approve))
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  t.equal(radarr.movies.length, 1)
  Object.assign(radarr.movies[0] ?? {}, { hasFile: true })
  t.ok((await checkImportedRequests(services, new AbortController().signal)) >= 3, 'all are available together')
  for (const id of ids) t.match(await rowOf(id), { status: 'available' })
})
