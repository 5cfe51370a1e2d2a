import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createProfile } from '../../../../src/core/profiles/index.ts'
import { pick, startApp } from '../../../support/app.ts'

const app = await startApp(t)
const { services, ask } = app
const admin = await app.registerAdmin()
const user = await app.registerUser()
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
