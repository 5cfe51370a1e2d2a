import t from 'tap'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { testServices } from '../../../support/services.ts'

const PATH = '/api/v1/admin/webhooks/subscriptions'
const HOOKS = '/api/v1/admin/webhooks'

void t.test('the console client keeps webhooks by address and events alone', async (t) => {
  const services = await testServices(t, { flags: { 'webhooks.allow_private': 'true' } })
  const { ask, registerAdmin, registerUser } = await startApp(t, { services })
  const [admin, user] = [await registerAdmin(), await registerUser()]
  const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) })
  const target = { url: 'http://127.0.0.1:9/hook', events: ['playback.started'] }

  const made = await as('POST', PATH, target)
  t.equal(made.status, 201)
  const id = String(pick(made.json, 'subscription', 'id'))
  t.match(made.json, { message: 'Webhook created', subscription: { name: '127.0.0.1:9', enabled: true, ...target } })
  t.match(pick(made.json, 'secret'), /^[\w-]{43}$/, 'the receiver needs it to check deliveries')
  t.match(
    (await as('GET', `${HOOKS}/${id}`)).json,
    { webhook: { ...target, is_active: true } },
    'a webhook like others',
  )
  const named = await as('POST', PATH, { ...target, name: 'Home', secret: 'mine' })
  t.match(named.json, { subscription: { name: 'Home' }, secret: null })
  t.equal((await as('DELETE', `${PATH}/${String(pick(named.json, 'subscription', 'id'))}`)).status, 204)
  const long = `http://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.test/`
  t.match(await as('POST', PATH, { ...target, url: long }), { status: 201 }, 'a host that is too long for a name')
  t.equal(
    (await as('DELETE', `${PATH}/${String(pick((await as('GET', PATH)).json, 'subscriptions', 1, 'id'))}`)).status,
    204,
  )

  const listed = await as('GET', PATH)
  t.strictSame(pick(listed.json, 'data', 'subscriptions'), pick(listed.json, 'subscriptions'))
  t.notOk(Object.hasOwn(listed.json as object, 'success'), 'with it the client takes `data` for the whole reply')
  t.notMatch(listed.text, /secret/)
  const off = await as('PUT', `${PATH}/${id}`, { enabled: false })
  t.match(off, { status: 200, json: { data: { subscriptions: [{ id, enabled: false, is_active: false }] } } })

  for (const [body, code] of [
    [{ events: target.events }, 'missing_url'],
    [{ ...target, url: 'no address' }, 'invalid_url'],
    [{ ...target, events: [] }, 'invalid_events'],
    [{ ...target, name: '' }, 'missing_name'],
    [{ ...target, secret: '' }, 'missing_secret'],
    [{ ...target, secret: null }, 'missing_secret'],
  ] as const) {
    t.match(await as('POST', PATH, body), { status: 400, json: { code } }, JSON.stringify(body))
  }
  t.match(await as('PUT', `${PATH}/${id}`, { enabled: 'no' }), { status: 400, json: { field: 'enabled' } })
  t.match(await as('PUT', `${PATH}/${id}`, {}), { status: 400, json: { code: 'nothing_to_update' } })
  t.match(await as('PUT', `${PATH}/x`, { enabled: true }), { status: 404, json: { code: 'webhook_not_found' } })
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['PUT', `${PATH}/${id}`],
    ['DELETE', `${PATH}/${id}`],
  ] as const) {
    const body = method === 'GET' ? {} : { body: { ...target, enabled: true } }
    t.match(await ask(method, path, { token: user.token, ...body }), { status: 403, json: { code: 'auth.not_admin' } })
    t.match(await ask(method, path, body), { status: 401, json: { code: 'auth.required' } })
  }
  t.equal((await as('DELETE', `${PATH}/${id}`)).status, 204)
  t.equal((await as('DELETE', `${PATH}/${id}`)).status, 404)
})
