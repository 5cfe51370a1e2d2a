import t from 'tap'
import { startFakeGateway } from '../../../support/fake-gateway.ts'
import { pick, startApp } from '../../../support/app.ts'
import { testServices } from '../../../support/services.ts'

const BASE = '/api/v1/admin/remote/portforward'
const ADDRESS = '127.7.4.1'

void t.test('port forwarding for administrators', async (t) => {
  const fake = await startFakeGateway(ADDRESS)
  t.teardown(() => fake.close())
  const environment = { PHLIX_GATEWAY: ADDRESS, PHLIX_PUBLIC_URL: 'https://media.example.org' }
  const app = await startApp(t, { services: await testServices(t, { environment }) })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()

  await t.test('other users may not call them', async (t) => {
    for (const [method, path] of [
      ['GET', 'status'],
      ['GET', 'candidates'],
      ['POST', 'enable'],
      ['POST', 'disable'],
    ]) {
      t.equal((await app.ask(method ?? '', `${BASE}/${path}`)).status, 401)
      t.equal((await app.ask(method ?? '', `${BASE}/${path}`, { token: other })).status, 403)
    }
    t.strictSame(fake.calls, [], 'nothing is asked of the router')
  })

  await t.test('off: the keys are there, and there are no candidates', async (t) => {
    const { status, json } = await app.ask('GET', `${BASE}/status`, { token })
    t.equal(status, 200)
    t.strictSame(json, {
      success: true,
      enabled: false,
      method: null,
      externalIp: null,
      externalPort: null,
      hostname: 'media.example.org',
      reach: null,
      expiresAt: null,
      problem: null,
    })
    const candidates = await app.ask('GET', `${BASE}/candidates`, { token })
    t.strictSame(candidates.json, { success: true, candidates: [] })
  })

  await t.test('enable opens the port, the status and the candidates show it', async (t) => {
    const enabled = await app.ask('POST', `${BASE}/enable`, { token, headers: { 'content-type': 'application/json' } })
    t.equal(enabled.status, 200)
    t.match(fake.mappings(), [{ externalPort: 8096, internalPort: 8096 }])
    const { json } = await app.ask('GET', `${BASE}/status`, { token })
    const expected = {
      enabled: true,
      method: 'nat-pmp',
      externalIp: '81.2.69.160',
      externalPort: 8096,
      reach: 'public',
    }
    t.match(json, { ...expected, problem: null, expiresAt: /Z$/ })
    t.strictSame(enabled.json, json)
    const candidates = await app.ask('GET', `${BASE}/candidates`, { token })
    t.strictSame(pick(candidates.json, 'candidates'), [
      { hostname: 'https://media.example.org', externalIp: '81.2.69.160', port: 443 },
      { hostname: 'http://81.2.69.160:8096', externalIp: '81.2.69.160', port: 8096 },
    ])
    t.match(await app.ask('GET', '/api/v1/admin/settings', { token }), { text: /"network\.forward_port"/ })
  })

  await t.test('disable removes it', async (t) => {
    t.match(await app.ask('POST', `${BASE}/disable`, { token, body: {} }), {
      status: 200,
      json: { success: true, enabled: false, externalPort: null, problem: null },
    })
    t.strictSame(fake.mappings(), [])
  })

  await t.test('behind carrier-grade NAT there are no candidates, and the reason is told', async (t) => {
    fake.externalAddress = '100.64.0.9'
    t.match(await app.ask('POST', `${BASE}/enable`, { token }), {
      status: 200,
      json: { enabled: true, externalIp: '100.64.0.9', reach: 'carrier_nat', problem: /carrier-grade NAT/ },
    })
    t.match(await app.ask('GET', `${BASE}/candidates`, { token }), { json: { candidates: [] } })
    await app.ask('POST', `${BASE}/disable`, { token })
  })

  await t.test('a refusal of the router is told, and nothing is switched on', async (t) => {
    Object.assign(fake, { natPmp: 'garbage', upnp: { fault: 606 } })
    const refused = await app.ask('POST', `${BASE}/enable`, { token })
    t.match(refused, { status: 409, json: { code: 'gateway_refused', error: /not permitted.*606/ } })
    t.match(await app.ask('GET', `${BASE}/status`, { token }), { json: { enabled: false } })
  })
})

void t.test('a switch that the environment sets is not changed over HTTP', async (t) => {
  const fake = await startFakeGateway('127.7.4.2')
  t.teardown(() => fake.close())
  const environment = { PHLIX_GATEWAY: '127.7.4.2', PHLIX_FORWARD_PORT: 'off' }
  const app = await startApp(t, { services: await testServices(t, { environment }) })
  const { token } = await app.registerAdmin()
  t.match(await app.ask('POST', `${BASE}/enable`, { token }), { status: 409, json: { code: 'setting_locked' } })
  t.strictSame(fake.calls, [])
})
