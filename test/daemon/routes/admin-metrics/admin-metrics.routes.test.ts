import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/metrics'

void t.test('metrics for administrators', async (t) => {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const app = await startApp(t, { services: await testServices(t, { clock }) })
  const admin = await app.registerAdmin()
  const user = await app.registerUser()
  const other = user.token
  // The test advances the clock by days.
  const ask = async (path: string) => app.ask('GET', `${PATH}${path}`, { token: await app.signIn(admin.account.id) })

  await t.test('other users may not see them', async (t) => {
    for (const path of ['/snapshot', '/history', '/connections', '/routes']) {
      t.equal((await app.ask('GET', `${PATH}${path}`)).status, 401)
      t.match(await app.ask('GET', `${PATH}${path}`, { token: other }), {
        status: 403,
        json: { code: 'auth.not_admin' },
      })
    }
  })

  await t.test('a snapshot tells rates over its window', async (t) => {
    clock.advance(600)
    for (let round = 0; round < 30; round += 1) await app.ask('GET', '/healthz')
    const { status, json } = await ask('/snapshot?window=60')
    t.equal(status, 200)
    t.strictSame(Object.keys(json as object), ['data'], 'no success: one client would look elsewhere')
    t.match(json, { data: { requests_per_sec: 0.5, error_rate: 0 } })
    const value = (name: string): number => Number(pick(json, 'data', name))
    t.ok(value('active_connections') >= 1)
    t.ok(value('bytes_in_per_sec') > 0 && value('bytes_out_per_sec') > 0)
    t.ok(value('p50_ms') > 0 && value('p50_ms') <= value('p95_ms') && value('p95_ms') <= value('p99_ms'))
    clock.advance(120)
    t.match((await ask('/snapshot?window=60')).json, { data: { requests_per_sec: 0, p99_ms: 0 } })
  })

  await t.test('the history has all spans, those without traffic too, and is bounded', async (t) => {
    const rows = async (query: string) =>
      pick((await ask(`/history${query}`)).json, 'data') as Record<string, unknown>[]
    const buckets = await rows('?minutes=5&resolution=60')
    t.strictSame(
      buckets.map(({ bucket }) => bucket),
      ['08', '09', '10', '11', '12'].map((minute) => `2026-03-01T12:${minute}:00.000Z`),
    )
    t.match(buckets[2], { errors: 0 })
    t.ok(Number(buckets[2]?.['requests']) >= 30)
    t.match(buckets[1], { requests: 0, bytes_in: 0, bytes_out: 0, p50_ms: 0, p95_ms: 0 })
    t.equal((await rows('?minutes=60')).length, 13, 'not before the start')
    t.equal((await rows('?minutes=60&resolution=300')).length, 3)
    clock.advance(3 * 86_400)
    t.equal((await rows('?minutes=999999&resolution=1')).length, 1440)
    t.equal((await rows('?minutes=-1')).length, 1)
    t.match(await ask('/history?minutes=x'), { status: 400, json: { field: 'minutes' } })
  })

  await t.test('a connection names its user and address', async (t) => {
    clock.advance(10)
    await ask('/connections')
    clock.advance(10)
    const { json } = await ask('/connections?ttl=5')
    t.match(pick(json, 'data', 0), {
      connection_id: /^\d+$/,
      kind: 'http',
      remote_ip: '127.0.0.1',
      user_id: admin.account.id,
      opened_at: /^2026-03-0/,
    })
    t.ok(Number(pick(json, 'data', 0, 'bytes_out_rate')) > 0)
  })

  await t.test('routes are named as they are declared, so that strangers cannot fill the memory', async (t) => {
    for (let index = 0; index < 20; index += 1) {
      await app.ask('GET', `/api/v1/media/${index}`, { token: await app.signIn(user.account.id) })
      await app.ask('GET', `/nowhere/${index}`)
    }
    const { json } = await ask('/routes?minutes=1&limit=50')
    const rows = pick(json, 'data') as { method: string; route: string; request_count: number; max_ms: number }[]
    t.match(
      rows.find(({ route }) => route === '/api/v1/media/:id'),
      { method: 'GET', request_count: 20, error_count: 0, avg_ms: Number },
    )
    t.equal(rows.find(({ route }) => route === '(no route)')?.request_count, 20)
    t.ok(
      rows.every((row, index) => index === 0 || row.max_ms <= (rows[index - 1]?.max_ms ?? 0)),
      'the slowest first',
    )
    t.equal((pick((await ask('/routes?limit=1')).json, 'data') as unknown[]).length, 1)
  })
})
