import { createHmac } from 'node:crypto'
import t from 'tap'
import { enqueueEvent, startDeliveryDispatch } from '../../../../src/core/outbox/index.ts'
import { sendWebhook } from '../../../../src/core/webhooks/index.ts'
import { startWorkers } from '../../../../src/core/workers.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'
import { restoreResponses, startWebhookReceiver } from '../../../support/webhook-receiver.ts'

const HOOKS = '/api/v1/admin/webhooks'
const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const SECRET = 'geheim — ключ 🔑'
const SECOND = 10_000_000

const receiver = await startWebhookReceiver(t, SECRET)
const clock = movableClock('2026-03-01T12:00:00.000Z')
const services = await testServices(t, { clock, flags: { 'webhooks.allow_private': 'true', 'server.port': '18096' } })
const guarded = await testServices(t, { clock })
const { ask, registerAdmin, registerUser } = await startApp(t, { services })
const strict = await startApp(t, { services: guarded })
const [admin, user, strictAdmin] = [await registerAdmin(), await registerUser(), await strict.registerAdmin()]
const [film = ''] = await makeItems(services.db, t.testdir(), [{ name: 'Alien', year: 1979 }])

const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
  ask(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) })
const hook = { name: 'Home', url: receiver.url, secret: SECRET, events: ['playback.started', 'playback.ended'] }
const create = (more: object = {}): Promise<Answer> => as('POST', HOOKS, { ...hook, ...more })
const remove = async (answer: Answer): Promise<void> =>
  void t.equal((await as('DELETE', `${HOOKS}/${idOf(answer)}`)).status, 204)
const idOf = ({ json }: Answer): string => String(pick(json, 'webhook', 'id'))
const refusal = ({ status, json }: Answer): string => `${status} ${String(pick(json, 'code'))}`
const logs = async (query = ''): Promise<Record<string, unknown>[]> =>
  pick((await as('GET', `${HOOKS}/logs${query}`)).json, 'logs') as Record<string, unknown>[]
const deliver = async (): Promise<void> => {
  const dispatch = startDeliveryDispatch(services, {
    webhook: (delivery, signal) => sendWebhook(services, delivery, signal),
    channel: () => Promise.reject(new Error('no channels here')),
    scrobbler: () => Promise.reject(new Error('no scrobblers here')),
  })
  await dispatch.settle()
  await dispatch.stop()
}

t.beforeEach(() => {
  receiver.events.length = 0
  receiver.requests.length = 0
  restoreResponses(receiver)
})

void t.test('a webhook is made, listed, changed and removed; its secret is in no reply (WH-02)', async (t) => {
  const created = await create()
  t.equal(created.status, 201)
  const id = idOf(created)
  t.match(created.json, { webhook: { id, name: 'Home', url: receiver.url, events: hook.events } })
  const row = {
    id,
    name: 'Home',
    url: receiver.url,
    events: hook.events,
    is_active: true,
    created_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
    last_triggered_at: null,
    failure_count: 0,
    dropped_count: 0,
  }
  const listed = await as('GET', HOOKS)
  t.strictSame([listed.status, listed.json], [200, { webhooks: [row] }])
  t.strictSame((await as('GET', `${HOOKS}/${id}`)).json, { webhook: row })
  const changes = { name: ' Office ', events: ['library.updated'], is_active: false, secret: 'another one' }
  const changed = await as('PUT', `${HOOKS}/${id}`, changes)
  t.match(changed.json, { webhook: { id, name: 'Office', events: ['library.updated'], is_active: false } })
  t.equal(refusal(await as('PUT', `${HOOKS}/${id}`, { other: 1 })), '400 nothing_to_update')
  t.equal(refusal(await as('PUT', `${HOOKS}/${id}`, { is_active: 'yes' })), '400 invalid_request')
  t.notMatch([created, listed, changed].map(({ text }) => text).join(''), /geheim|another one|"secret"/)
  t.equal((await as('DELETE', `${HOOKS}/${id}`)).status, 204)
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', '/x'],
    ['PUT', `/${UNKNOWN}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
  ] as const) {
    const body = method === 'PUT' ? { name: 'A' } : undefined
    t.equal(refusal(await as(method, `${HOOKS}${path}`, body)), '404 webhook_not_found', `${method} ${path}`)
  }
  for (const [method, path] of [
    ['POST', `/logs/${UNKNOWN}/retry`],
    ['POST', '/logs/x/retry'],
    ['DELETE', `/logs/${UNKNOWN}`],
  ] as const) {
    t.equal(refusal(await as(method, `${HOOKS}${path}`)), '404 delivery_not_found')
  }
})

void t.test('what a webhook is made from is checked, name, events and address (WH-03, WH-04)', async (t) => {
  const cases: [object, string][] = [
    [{ name: undefined }, '400 missing_name'],
    [{ name: '  ' }, '400 missing_name'],
    [{ name: 'x'.repeat(129) }, '400 invalid_request'],
    [{ name: 'a\nb' }, '400 invalid_request'],
    [{ name: 'a\0b' }, '400 invalid_request'],
    [{ url: undefined }, '400 missing_url'],
    [{ url: 5 }, '400 missing_url'],
    [{ url: `http://a.test/${'x'.repeat(100_000)}` }, '400 invalid_url'],
    [{ url: 'http://a.test/x\r\nX-Evil: 1' }, '400 invalid_url'],
    [{ url: 'http://a.test\r\n.b.test/' }, '400 invalid_url'],
    [{ secret: undefined }, '400 missing_secret'],
    [{ secret: '' }, '400 missing_secret'],
    [{ secret: 'a\r\nX-Evil: 1' }, '400 invalid_request'],
    [{ secret: 'x'.repeat(1025) }, '400 invalid_request'],
    [{ events: undefined }, '400 invalid_events'],
    [{ events: 'playback.started' }, '400 invalid_events'],
    [{ events: [] }, '400 invalid_events'],
    [{ events: ['playback.exploded'] }, '400 invalid_events'],
    [{ events: [['playback.started']] }, '400 invalid_events'],
    [{ events: ['__proto__'] }, '400 invalid_events'],
    [{ events: Array.from({ length: 10_000 }, () => 'playback.started') }, '400 invalid_events'],
  ]
  for (const [more, expected] of cases) {
    t.equal(refusal(await create(more)), expected, JSON.stringify(more).slice(0, 80))
  }
  const twice = await create({ events: ['alert', 'playback.ended', 'alert'], name: '<b>&"\' 🔔 '.repeat(10) })
  t.strictSame(pick(twice.json, 'webhook', 'events'), ['alert', 'playback.ended'], 'once each')
  t.equal(pick(twice.json, 'webhook', 'name'), '<b>&"\' 🔔 '.repeat(10).trim(), 'markup is text')
  await remove(twice)
  t.strictSame(pick((await as('GET', HOOKS)).json, 'webhooks'), [])
})

void t.test(
  'webhooks reach private networks only if configured, and cloud metadata addresses never (SS-01, SS-02)',
  async (t) => {
    const inside = (
      '127.0.0.1 localhost localhost. [::1] 0.0.0.0 [::ffff:127.0.0.1] 2130706433 0x7f.1 0177.0.0.1 127.1 ①②⑦.0.0.1 ' +
      '[fd00::1] [64:ff9b::7f00:1] 100.64.0.1 10.1.2.3 192.168.0.1 172.16.0.1 127.0.0.1:8096'
    ).split(' ')
    const never = ['169.254.169.254', '[fe80::1]', '224.0.0.1', '100.100.100.200', '[fd00:ec2::254]', '168.63.129.16']
    const wrong = ['file:///etc/passwd', 'gopher://a.test', 'ftp://a.test', 'javascript:alert(1)', 'data:,x', 'unix:/x']
    wrong.push('http://a@a.test/', 'http://1.1.1.1:0/', 'no address', '//a.test', 'http://')
    const strictly = (url: string): Promise<Answer> =>
      strict.ask('POST', HOOKS, { token: strictAdmin.token, body: { ...hook, url } })
    for (const host of [...inside, ...never]) {
      t.equal(refusal(await strictly(`http://${host}/x`)), '400 invalid_url', host)
    }
    for (const url of [...wrong, 'http://1.1.1.1:22/', 'http://1.1.1.1:5432/']) {
      t.equal(refusal(await strictly(url)), '400 invalid_url', url)
    }
    const refused = await strictly('http://10.1.2.3/x')
    t.match(
      refused.json,
      { error: 'The address of 10.1.2.3 is not allowed.', code: 'invalid_url' },
      'clients show error',
    )
    const outside = await strictly('https://1.1.1.1/hook')
    t.equal(outside.status, 201)
    const put = { token: strictAdmin.token, body: { url: 'http://localhost/' } }
    t.equal(refusal(await strict.ask('PUT', `${HOOKS}/${idOf(outside)}`, put)), '400 invalid_url')
    for (const host of never) t.equal(refusal(await create({ url: `http://${host}/x` })), '400 invalid_url', host)
    for (const url of wrong) t.equal(refusal(await create({ url })), '400 invalid_url', url)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1']) {
      t.equal(refusal(await create({ url: `http://${host}:18096/` })), '400 invalid_url', `our own port at ${host}`)
    }
    const allowed = await create({ url: 'http://192.168.0.1:8123/api/webhook/x' })
    t.equal(allowed.status, 201)
    await remove(allowed)
  },
)

void t.test('a test delivers one signed webhook.test, also to a webhook that did not ask for it (WH-01)', async (t) => {
  const created = await create()
  const id = idOf(created)
  const well = await as('POST', `${HOOKS}/${id}/test`)
  t.strictSame([well.status, well.json], [200, { success: true, success_count: 1, failure_count: 0, failures: [] }])
  const [event] = await receiver.received(1)
  const [{ headers, raw }] = receiver.requests as [(typeof receiver.requests)[0]]
  t.match(event, { event_type: 'webhook.test', payload: { webhook_id: id }, occurred_at: '2026-03-01T12:00:00.000Z' })
  t.match(headers['x-service-signature'], /^sha256=[0-9a-f]{64}$/)
  t.equal(headers['x-phlix-signature'], headers['x-service-signature'])
  const time = clock.unixSeconds()
  const dated = createHmac('sha256', SECRET).update(`${time}.`).update(raw).digest('hex')
  t.equal(headers['x-phlix-signature-v2'], `t=${time},v1=${dated}`)
  t.match((await logs(`?webhook_id=${id}`))[0], { id: event?.['id'], event: 'webhook.test', status: 'success' })

  receiver.answer = (_, response) => void response.writeHead(500).end(`no ${SECRET}`)
  const badly = await as('POST', `${HOOKS}/${id}/test`)
  const failures = [{ webhook_id: id, url: receiver.url, error: 'It answered with status 500.' }]
  t.strictSame(badly.json, { success: false, success_count: 0, failure_count: 1, failures })
  t.match((await as('GET', `${HOOKS}/${id}`)).json, { webhook: { failure_count: 1 } })
  t.match((await logs())[0], { status: 'failed', status_code: 500, response_body: 'no ***', retry_count: 0 })
  await remove(created)
})

void t.test('playback start and end are delivered with the documented keys', async (t) => {
  const created = await create()
  const headers = { 'x-device-id': 'tv-1' }
  const player = { token: user.token, headers }
  const session = String(pick((await ask('POST', '/api/v1/sessions', player)).json, 'session_id'))
  const report = (seconds: number) =>
    ask('POST', `/api/v1/sessions/${session}/progress`, {
      ...player,
      body: { media_item_id: film, position_ticks: seconds * SECOND },
    })
  await report(0)
  clock.advance(10)
  await report(10)
  clock.advance(2.5)
  await ask('POST', `/api/v1/sessions/${session}/complete`, player)
  const daemon = await startWorkers(services)
  await receiver.received(2)
  await daemon.stop()
  const about = { user_id: user.account.id, media_item_id: film, media_type: 'movie' }
  t.strictSame(
    receiver.events.map(({ event_type: type, payload }) => [type, payload]),
    [
      ['playback.started', { ...about, device_id: 'tv-1' }],
      ['playback.ended', { ...about, duration_seconds: 12, completed: true }],
    ],
  )
  t.equal(new Set(receiver.events.map(({ id }) => id)).size, 2)
  await remove(created)
  t.strictSame(await logs(), [], 'the log goes with the webhook')
})

void t.test(
  'the log shows every delivery; one that failed is sent again with the same id and the same bytes',
  async (t) => {
    const created = await create({ events: ['library.updated'] })
    const id = idOf(created)
    const removed = await as('DELETE', `/api/v1/media/${film}`)
    t.equal(removed.status < 300, true)
    const [pending] = await logs()
    t.strictSame(
      pending,
      {
        id: pending?.['id'],
        webhook_id: id,
        webhook_name: 'Home',
        event: 'library.updated',
        status: 'pending',
        occurred_at: clock.now().toISOString(),
        attempted_at: null,
        status_code: null,
        response_body: null,
        error_message: null,
        retry_count: 0,
        next_retry_at: clock.now().toISOString(),
      },
      'an item that was removed by hand',
    )
    t.equal(refusal(await as('POST', `${HOOKS}/logs/${String(pending?.['id'])}/retry`)), '409 delivery_pending')
    receiver.answer = (_, response) => void response.writeHead(503).end('busy')
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await deliver()
      clock.advance(60)
    }
    const [failed] = await logs('?status=failed')
    const because = { status_code: 503, response_body: 'busy', error_message: 'It answered with status 503.' }
    t.match(failed, { ...because, status: 'failed', retry_count: 2, next_retry_at: null })
    restoreResponses(receiver)
    const retried = await as('POST', `${HOOKS}/logs/${String(failed?.['id'])}/retry`)
    t.match(retried.json, {
      success: true,
      log: { id: failed?.['id'], status: 'success', status_code: 200, retry_count: 3 },
    })
    t.equal(receiver.requests.length, 4)
    t.equal(new Set(receiver.requests.map(({ raw }) => raw.toString('hex'))).size, 1, 'the same bytes each time')
    const payload = { change_type: 'item_removed', media_item_id: film, media_item_ids: [film], item_count: 1 }
    t.match(receiver.events, [{ event_type: 'library.updated', payload }])

    await enqueueEvent(services.db, { event: 'webhook.test', message: 'nobody listens' }, clock.now())
    t.match((await as('GET', `${HOOKS}/logs?page=2&per_page=1`)).json, { logs: [], total: 1, page: 2, per_page: 1 })
    t.match((await as('GET', `${HOOKS}/logs?page=-4&per_page=5000`)).json, { total: 1, page: 1, per_page: 100 })
    t.match((await as('GET', `${HOOKS}/logs?page=1e15`)).json, { logs: [], total: 1 })
    t.equal((await logs(`?webhook_id=${UNKNOWN}`)).length + (await logs('?webhook_id=x')).length, 0)
    t.equal((await logs(`?webhook_id=${id}&status=all`)).length, 1)
    t.equal(refusal(await as('GET', `${HOOKS}/logs?status=odd`)), '400 invalid_request')
    t.equal((await as('DELETE', `${HOOKS}/logs/${String(failed?.['id'])}`)).status, 204)
    t.strictSame(await logs(), [])
    await remove(created)
  },
)
