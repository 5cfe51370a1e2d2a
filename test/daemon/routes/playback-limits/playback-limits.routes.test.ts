import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { createProfile } from '../../../../src/core/profiles/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { makeLibrary } from '../../../support/records.ts'

const app = await startApp(t)
const { services, ask } = app
const admin = await app.registerAdmin()
const user = await app.registerUser()
// People of an account name only tags of items.
const library = await makeLibrary(services.db, reachableDirectory(t), 'Films')
await services.db.query(sql.unsafe`
  insert into media_items (library_id, type, name, sort_title, metadata, added_at, created_at, updated_at)
  values (${library.id}, 'movie', 'a', 'a', '{"tags": ["gore", "kids", "family"]}', now(), now(), now())`)
const kid = await createProfile(services, { accountId: user.account.id, fields: { name: 'Kim', isKids: true } })

for (const { who, prefix, token } of [
  { who: 'the account', prefix: '/api/v1/profiles', token: user.token },
  { who: 'an administrator', prefix: '/api/v1/admin/profiles', token: admin.token },
]) {
  const path = `${prefix}/${kid.id}`

  void t.test(`${who} changes schedules of a profile`, async (t) => {
    const body = { name: 'Evening', start_time: '17:00', end_time: '19:30', days_of_week: ['Sat', 'mon'] }
    const added = await ask('POST', `${path}/schedules`, { token, body })
    const schedule = { name: 'Evening', start_time: '17:00', end_time: '19:30', days_of_week: ['mon', 'sat'] }
    t.match(added, { status: 201, json: { schedule: { ...schedule, time_zone: null, is_active: true } } })
    const id = String(pick(added.json, 'schedule_id'))
    const change = { end_time: '20:00', time_zone: 'Europe/Berlin', is_active: false }
    t.match(await ask('PUT', `${path}/schedules/${id}`, { token, body: change }), { status: 200 })
    t.match((await ask('GET', `${path}/schedules`, { token })).json, { schedules: [{ ...schedule, ...change, id }] })
    for (const wrong of [
      { start_time: '24:00' },
      { end_time: '7pm' },
      { days_of_week: ['funday'] },
      { time_zone: 'Mars/Olympus' },
      { name: ' ' },
    ]) {
      const answer = await ask('PUT', `${path}/schedules/${id}`, { token, body: wrong })
      t.match(answer, { status: 400, json: { code: 'invalid_schedule' } }, JSON.stringify(wrong))
    }
    t.match(await ask('PUT', `${path}/schedules/${randomUUID()}`, { token, body: {} }), {
      status: 404,
      json: { code: 'schedule_not_found' },
    })
    t.equal((await ask('DELETE', `${path}/schedules/${id}`, { token })).status, 200)
    t.equal((await ask('DELETE', `${path}/schedules/${id}`, { token })).status, 404)
    t.strictSame((await ask('GET', `${path}/schedules`, { token })).json, { schedules: [] })
  })

  void t.test(`${who} changes tags and limits of streams of a profile`, async (t) => {
    for (const body of [
      { tag: ' Gore ', tag_type: 'blocked' },
      { tag: 'Kids', tag_type: 'allowed' },
      { tag: 'family', tag_type: 'allowed' },
    ]) {
      t.equal((await ask('POST', `${path}/tags`, { token, body })).status, 201)
    }
    const tags = [
      { id: 'blocked:gore', tag: 'gore', tag_type: 'blocked' },
      { id: 'allowed:family', tag: 'family', tag_type: 'allowed' },
      { id: 'allowed:kids', tag: 'kids', tag_type: 'allowed' },
    ]
    t.strictSame((await ask('GET', `${path}/tags`, { token })).json, { tags })
    for (const { id } of tags) {
      t.equal((await ask('DELETE', `${path}/tags/${encodeURIComponent(id)}`, { token })).status, 200, id)
    }
    t.equal((await ask('DELETE', `${path}/tags/allowed:kids`, { token })).status, 404)
    t.match(await ask('POST', `${path}/tags`, { token, body: { tag: ' ', tag_type: 'blocked' } }), {
      status: 400,
      json: { code: 'invalid_access' },
    })
    const limits = { max_concurrent_streams: 2, max_total_bandwidth_kbps: 8000 }
    t.strictSame((await ask('PUT', `${path}/stream-limits`, { token, body: limits })).json, { stream_limits: limits })
    const none = { max_concurrent_streams: null, max_total_bandwidth_kbps: null }
    t.strictSame((await ask('PUT', `${path}/stream-limits`, { token, body: none })).json, { stream_limits: none })
    t.strictSame((await ask('GET', `${path}/stream-limits`, { token })).json, { stream_limits: none })
  })
}

void t.test(
  'a profile for children reads its limits and cannot change them; that of another account is unknown',
  async (t) => {
    const token = await app.signIn(user.account.id, kid.id)
    const path = `/api/v1/profiles/${kid.id}`
    t.equal((await ask('GET', `${path}/schedules`, { token })).status, 200)
    for (const [method, rest, body] of [
      ['POST', 'schedules', { start_time: '00:00', end_time: '00:00' }],
      ['PUT', 'stream-limits', { max_concurrent_streams: null }],
      ['POST', 'tags', { tag: 'x', tag_type: 'blocked' }],
      ['DELETE', `schedules/${randomUUID()}`, undefined],
      ['DELETE', 'tags/blocked:x', undefined],
    ] as const) {
      t.equal((await ask(method, `${path}/${rest}`, { token, body })).status, 403, `${method} ${rest}`)
    }
    const foreign = `/api/v1/profiles/${admin.account.id}`
    for (const rest of ['schedules', 'tags', 'stream-limits']) {
      t.equal((await ask('GET', `${foreign}/${rest}`, { token: user.token })).status, 404, rest)
    }
  },
)

void t.test('whoever a limit of any kind applies to neither removes it nor is an administrator', async (t) => {
  type Change = readonly [url: string, method: string, body: object]
  const limits: Record<string, (path: string) => Change> = {
    schedule: (path: string) => [`${path}/schedules`, 'POST', { start_time: '16:00', end_time: '20:00' }],
    streams: (path: string) => [`${path}/stream-limits`, 'PUT', { max_concurrent_streams: 1 }],
    bandwidth: (path: string) => [`${path}/stream-limits`, 'PUT', { max_total_bandwidth_kbps: 8000 }],
    downloads: (path: string) => [path, 'PUT', { can_download: false }],
    tag: (path: string) => [`${path}/tags`, 'POST', { tag: 'gore', tag_type: 'blocked' }],
  }
  for (const [name, limit] of Object.entries(limits)) {
    const { id } = await createProfile(services, { accountId: admin.account.id, fields: { name: `Teen ${name}` } })
    const path = `/api/v1/profiles/${id}`
    const token = await app.signIn(admin.account.id, id)
    const me = async () => (await ask('GET', '/api/v1/auth/me', { token })).json
    t.match(await me(), { user: { is_admin: true }, profile: { is_restricted: false } })
    const [url, method, body] = limit(path)
    t.match(await ask(method, url, { token: admin.token, body }), { status: /20[01]/ }, name)
    t.match(await me(), { user: { is_admin: false }, profile: { is_restricted: true } }, name)
    const { json } = await ask('GET', `${path}/schedules`, { token })
    const [first] = pick(json, 'schedules') as { id: string }[]
    const refused = { status: 403, json: { code: 'profile.restricted' } }
    for (const [way, target, change] of [
      ['DELETE', `${path}/schedules/${first?.id ?? randomUUID()}`],
      ['PUT', `${path}/schedules/${first?.id ?? randomUUID()}`, { is_active: false }],
      ['PUT', `${path}/stream-limits`, { max_concurrent_streams: null }],
      ['PUT', path, { can_download: true }],
      ['DELETE', `${path}/tags/blocked:gore`],
      ['POST', '/api/v1/profiles', { name: 'Free' }],
    ] as const) {
      t.match(await ask(way, target, { token, body: change }), refused, `${name}: ${way} ${target}`)
    }
    t.match(await ask('PUT', `/api/v1/admin${path.slice('/api/v1'.length)}`, { token, body: { can_download: true } }), {
      status: 403,
    })
  }
})

void t.test('only an administrator limits a main profile, and its hours are those of the account', async (t) => {
  const path = `/profiles/${user.account.id}`
  const schedule = { start_time: '00:00', end_time: '00:00', days_of_week: [] }
  const byAdmin = await ask('POST', `/api/v1/admin${path}/schedules`, { token: admin.token, body: schedule })
  t.match(byAdmin, { status: 201 })
  const id = String(pick(byAdmin.json, 'schedule_id'))
  const refused = { status: 409, json: { code: 'profile.main_profile' } }
  for (const [method, rest, body] of [
    ['POST', 'schedules', schedule],
    ['PUT', `schedules/${id}`, { is_active: false }],
    ['DELETE', `schedules/${id}`],
    ['PUT', 'stream-limits', { max_concurrent_streams: null }],
    ['POST', 'tags', { tag: 'kids', tag_type: 'blocked' }],
  ] as const) {
    t.match(await ask(method, `/api/v1${path}/${rest}`, { token: user.token, body }), refused, `${method} ${rest}`)
  }
  const { id: second } = await createProfile(services, { accountId: user.account.id, fields: { name: 'Second' } })
  for (const token of [user.token, await app.signIn(user.account.id, second)]) {
    const answer = await ask('POST', '/api/v1/sessions', { token, body: {} })
    t.match(answer, { status: 403, json: { code: 'AccessSchedule', allowed_at: null } })
  }
  t.match(await ask('DELETE', `/api/v1/admin${path}/schedules/${id}`, { token: admin.token }), { status: 200 })
})

void t.test('a restricted profile is not told the limits of the others', async (t) => {
  const accountId = user.account.id
  const other = await createProfile(services, {
    accountId,
    fields: { name: 'Other', mayDownload: false, limits: { libraryIds: [library.id], maxAge: 3 } },
  })
  const token = await app.signIn(accountId, kid.id)
  const rowOf = async (by: string) => {
    const { json } = await ask('GET', '/api/v1/profiles', { token: by })
    return (pick(json, 'profiles') as { id: string }[]).find(({ id }) => id === other.id)
  }
  t.match(await rowOf(user.token), { name: 'Other', library_ids: [library.id], max_age: 3, can_download: false })
  const nothing = { name: 'Other', library_ids: null, max_age: null, content_rating: 'UNRATED', can_download: true }
  t.match(await rowOf(token), nothing)
  t.match((await ask('GET', `/api/v1/profiles/${other.id}`, { token })).json, { profile: nothing })
  t.match((await ask('GET', `/api/v1/profiles/${kid.id}`, { token })).json, { profile: { max_age: 7 } })
  for (const rest of ['schedules', 'tags', 'stream-limits']) {
    t.match(await ask('GET', `/api/v1/profiles/${other.id}/${rest}`, { token }), { status: 404 }, rest)
    t.match(await ask('GET', `/api/v1/profiles/${other.id}/${rest}`, { token: user.token }), { status: 200 }, rest)
  }
})

void t.test('requests at the same time exceed no number and break no limit', async (t) => {
  const { id } = await createProfile(services, { accountId: user.account.id, fields: { name: 'Busy' } })
  const path = `/api/v1/admin/profiles/${id}`
  const { token } = admin
  const body = { start_time: '16:00', end_time: '20:00' }
  const added = await Promise.all(Array.from({ length: 30 }, () => ask('POST', `${path}/schedules`, { token, body })))
  t.equal(added.filter(({ status }) => status === 201).length, 20)
  t.equal(added.filter(({ status }) => status === 409).length, 10)
  const set = (limits: object) => ask('PUT', `${path}/stream-limits`, { token, body: limits })
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => set({ max_concurrent_streams: 3 })),
    ...Array.from({ length: 6 }, () => set({ max_total_bandwidth_kbps: 8000 })),
  ])
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.match((await ask('GET', `${path}/stream-limits`, { token })).json, {
    stream_limits: { max_concurrent_streams: 3, max_total_bandwidth_kbps: 8000 },
  })
})
