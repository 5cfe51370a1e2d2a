import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const SECOND = 10_000_000
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const clock = movableClock('2026-03-31T23:50:00.000Z')
const services = await testServices(t, { clock })
const { ask, registerAdmin, registerUser, signIn } = await startApp(t, { services })
const admin = await registerAdmin()
clock.advance(1)
const user = await registerUser()
const items = await makeItems(services.db, t.testdir(), [{ name: 'Alpha' }, { name: 'Beta' }])
const [alpha = '', beta = ''] = items

/** With a new token for each call, since the tests advance the clock by months. */
const get = async (path: string, token?: string) =>
  ask('GET', `/api/v1/admin${path}`, { token: token ?? (await signIn(admin.account.id)) })
const dataOf = async (path: string) => pick((await get(path)).json, 'data') as Record<string, unknown>[]

const bytesOf = async (path: string) =>
  (await dataOf(path)).map((row) => Number(row['total_bytes'])).toSorted((a, b) => a - b)

/** Plays a film of 100 s up to this second; the session stays open. */
async function watch(token: string, item: string, seconds: number): Promise<string> {
  const sessionId = String(pick((await ask('POST', '/api/v1/sessions', { token })).json, 'session_id'))
  const body = { media_item_id: item, position_ticks: seconds * SECOND, duration_ticks: 100 * SECOND }
  await ask('POST', `/api/v1/sessions/${sessionId}/progress`, { token, body })
  return sessionId
}

const complete = (token: string, sessionId: string, reachedEnd: boolean) =>
  ask('POST', `/api/v1/sessions/${sessionId}/complete`, { token, body: { reached_end: reachedEnd } })

await complete(user.token, await watch(user.token, alpha, 100), true)
clock.advance(1200)
await watch(user.token, alpha, 95)
clock.advance(1)
await complete(admin.token, await watch(admin.token, beta, 30), false)
await watch(admin.token, beta, 10)

void t.test('the series contains the playback of each day, also on both sides of midnight', async (t) => {
  const { json } = await get('/stats/playback?from=2026-03-31&to=2026-04-02')
  t.strictSame(json, {
    data: [
      { date: '2026-03-31', play_count: 1, total_duration: 100, completed_count: 1 },
      { date: '2026-04-01', play_count: 2, total_duration: 125, completed_count: 1 },
      { date: '2026-04-02', play_count: 0, total_duration: 0, completed_count: 0 },
    ],
  })
  t.equal((await dataOf('/stats/playback')).length, 31)
  t.equal((await dataOf('/stats/playback?from=-7%20days')).length, 8)
  t.equal((await dataOf('/stats/playback?from=-7+days&to=yesterday')).length, 7)
})

void t.test(
  'top users and top media have the documented keys, and those of the dashboards the other names',
  async (t) => {
    const users = [
      { user_id: user.account.id, total_watch_time: 195, play_count: 2 },
      { user_id: admin.account.id, total_watch_time: 30, play_count: 1 },
    ]
    const media = [
      { media_item_id: alpha, play_count: 2, total_duration: 195 },
      { media_item_id: beta, play_count: 1, total_duration: 30 },
    ]
    t.strictSame((await get('/stats/top-users')).json, { data: users })
    t.strictSame((await get('/stats/top-media')).json, { data: media })
    t.strictSame((await get('/stats/top-users?limit=1')).json, { data: users.slice(0, 1) })
    t.strictSame(await dataOf('/stats/top-media?since=2026-04-01&limit=99999'), [
      { media_item_id: alpha, play_count: 1, total_duration: 95 },
      { media_item_id: beta, play_count: 1, total_duration: 30 },
    ])
    t.strictSame((await get('/dashboard/top-users?days=30&limit=1')).json, {
      success: true,
      data: [{ ...users[0], username: 'user', user_name: 'user', total_watch_time_seconds: 195 }],
    })
    t.strictSame((await get('/dashboard/top-media?days=30&limit=1')).json, {
      success: true,
      data: [{ ...media[0], media_title: 'Alpha', title: 'Alpha', media_type: 'movie' }],
    })
  },
)

void t.test('current playback is on the dashboard until the player stops reporting', async (t) => {
  const { json } = await get('/dashboard/now-playing')
  t.match(json, {
    success: true,
    data: [
      { user_name: 'admin', username: 'admin', title: 'Beta', media_title: 'Beta', position_ticks: 10 * SECOND },
      { user_id: user.account.id, media_item_id: alpha, media_type: 'movie', status: 'playing', is_paused: false },
    ],
  })
  clock.advance(121)
  t.strictSame((await get('/dashboard/now-playing')).json, { success: true, data: [] })
})

void t.test('storage is the size of each library, on request also its history', async (t) => {
  const folder = join(services.config.dataDirectory, 'cache', 'transcodes', 'a-job')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'seg-v1080p-00000.ts'), Buffer.alloc(1234))
  const [row, ...others] = await dataOf('/stats/storage')
  t.strictSame(others, [])
  t.match(row, { id: ID, recorded_at: TIME, library_id: ID, media_type: 'movie', item_count: 2, total_bytes: 2000 })
  t.equal(row?.['transcode_cache_bytes'], 1234)
  t.strictSame((await get('/dashboard/storage')).json, { success: true, data: [row] })
  const [added = ''] = await makeItems(services.db, t.testdir(), [{ sizeBytes: 2 ** 45 }])
  t.strictSame(await bytesOf('/stats/storage'), [2000, 2 ** 45], 'a library with other items is measured again')
  await services.db.query(sql.unsafe`update media_items set missing_since = now() where id = ${alpha}`)
  t.strictSame(await bytesOf('/stats/storage'), [2000, 2 ** 45], 'the sizes of the last scan')
  clock.advance(24 * 3600)
  t.strictSame(await bytesOf('/stats/storage'), [1000, 2 ** 45])
  t.strictSame(await bytesOf('/stats/storage?days=90'), [1000, 2000, 2 ** 45, 2 ** 45])
  clock.advance(91 * 24 * 3600)
  t.equal((await dataOf('/stats/storage?days=1000')).length, 2, 'nothing is kept for longer than 90 days')
  await services.db.query(sql.unsafe`
    delete from libraries where id = (select library_id from media_items where id = ${added})`)
  t.equal((await dataOf('/stats/storage')).length, 1)
})

void t.test('the dashboard tells what happened last, newest first', async (t) => {
  await services.db.query(sql.unsafe`
    insert into scan_jobs (library_id, type, status, queued_at, completed_at)
    select id, 'scan', 'completed', now(), timestamptz '2031-01-01' from libraries`)
  const body = { type: 'movie', catalog_id: 603, title: 'The Matrix' }
  await ask('POST', '/api/v1/me/requests', { token: await signIn(user.account.id), body })
  const rows = await dataOf('/dashboard/activity')
  t.strictSame(
    rows.map(({ action, actor, media_title: title, target }) => [action, actor, title ?? null, target]).slice(1),
    [
      ['request.created', 'user', null, 'The Matrix'],
      ['playback.ended', 'admin', 'Beta', 'Beta'],
      ['playback.completed', 'user', 'Alpha', 'Alpha'],
      ['playback.completed', 'user', 'Alpha', 'Alpha'],
      ['user.created', 'user', null, 'user'],
      ['user.created', 'admin', null, 'admin'],
    ],
  )
  t.match(rows[0], { action: 'scan.completed', actor: 'system', user_id: null, media_item_id: null })
  t.match(rows[1], { created_at: TIME, occurred_at: TIME, user_name: 'user', username: 'user' })
  t.equal((await dataOf('/dashboard/activity?limit=2')).length, 2)
  t.equal((await dataOf('/dashboard/activity?limit=0')).length, 1)
  t.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
})

void t.test('a time that is none is 400 and named', async (t) => {
  for (const [path, field] of [
    ['/stats/playback?from=soon', 'from'],
    ['/stats/playback?to=2026-02-30', 'to'],
    ['/stats/playback?from=tomorrow', 'from'],
    ['/stats/top-users?since=30', 'since'],
    ['/stats/top-media?since=%00', 'since'],
  ] as const) {
    t.match(await get(path), { status: 400, json: { error: 'Invalid request', code: 'invalid_request', field } }, path)
  }
  for (const path of ['/stats/top-users?limit=x', '/dashboard/top-media?days=1e400', '/dashboard/activity?limit=1.5']) {
    t.match(await get(path), { status: 400, json: { code: 'invalid_request' } }, path)
  }
})

void t.test('only administrators may read it (AZ-02)', async (t) => {
  for (const path of ['stats/playback', 'stats/top-users', 'stats/top-media', 'stats/storage']) {
    t.match(
      await get(`/${path}`, await signIn(user.account.id)),
      { status: 403, json: { code: 'auth.not_admin' } },
      path,
    )
  }
  for (const path of ['now-playing', 'top-users', 'top-media', 'storage', 'activity']) {
    t.match(
      await get(`/dashboard/${path}`, await signIn(user.account.id)),
      { status: 403, json: { code: 'auth.not_admin' } },
      path,
    )
    t.match(await ask('GET', `/api/v1/admin/dashboard/${path}`), { status: 401, json: { code: 'auth.required' } }, path)
  }
})
