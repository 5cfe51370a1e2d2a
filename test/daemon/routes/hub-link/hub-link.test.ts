import t from 'tap'
import { createServerKey } from '../../../../src/core/platform/keys/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { PROTOCOL, startTestHub } from '../../../support/hub.ts'
import { testServices } from '../../../support/services.ts'

const BASE = '/api/v1/admin/remote/hub'

void t.test('the pairing for administrators', async (t) => {
  const hub = await startTestHub(t)
  const ada = await hub.addUser('ada')
  const services = await testServices(t)
  await createServerKey(services)
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  const post = (path: string, body: object = {}) => app.ask('POST', `${BASE}/${path}`, { token, body })

  await t.test('other users may not call them', async (t) => {
    for (const [method, path] of [
      ['GET', 'status'],
      ['POST', 'pair'],
      ['POST', 'poll'],
      ['POST', 'complete'],
      ['POST', 'unenroll'],
      ['POST', 'heartbeat'],
    ]) {
      t.equal((await app.ask(method ?? '', `${BASE}/${path}`)).status, 401)
      t.equal((await app.ask(method ?? '', `${BASE}/${path}`, { token: other })).status, 403)
    }
  })

  await t.test('without a pairing the keys are there', async (t) => {
    t.strictSame((await app.ask('GET', `${BASE}/status`, { token })).json, {
      success: true,
      paired: false,
      serverId: null,
      hubUrl: null,
      enrolledAt: null,
      expiresAt: null,
      lastHeartbeat: null,
      problem: null,
    })
    t.match(await post('heartbeat'), { status: 409, json: { code: 'not_paired' } })
    t.match(await post('unenroll'), { status: 409, json: { code: 'not_paired' } })
    t.match(await app.ask('GET', '/api/v1/health/relay'), { json: { hub: { configured: false, isEnrolled: true } } })
    t.match(await app.ask('GET', '/api/v1/health/network'), { json: { status: 'healthy', latencyMs: 0 } })
  })

  await t.test('addresses that are no hub are refused with a reason', async (t) => {
    for (const hubUrl of ['', 'hub.example.org', 'file:///etc/passwd', `${hub.url}/path`, 'http://a@b']) {
      const code = hubUrl === '' ? 'hub_url_missing' : 'hub_url_invalid'
      t.match(await post('pair', { hubUrl }), { status: 400, json: { code } }, hubUrl)
    }
    t.match(await post('pair', { hubUrl: 'http://127.0.0.1:1' }), { status: 503, json: { code: 'hub_unreachable' } })
    t.match(
      await post('pair', { hubUrl: app.baseUrl }),
      { json: { code: /hub_(?:refused|unreachable)/ } },
      'a media server',
    )
    t.match(await post('poll', { hubUrl: hub.url, claimId: 'unknown' }), {
      status: 410,
      json: { code: 'hub_claim_ended' },
    })
    t.match(await post('poll', { hubUrl: hub.url, claimId: '../..' }), {
      status: 400,
      json: { code: 'invalid_request' },
    })
  })

  await t.test('an administrator pairs, and acts as the owner', async (t) => {
    const opened = await post('pair', { hubUrl: `${hub.url}/`, serverName: 'Attic' })
    t.match(opened, { status: 200, json: { success: true, serverId: null, hubUrl: hub.url, expiresIn: 600 } })
    const claimId = pick(opened.json, 'claimId')
    t.match(await post('poll', { claimId, hubUrl: hub.url }), { status: 200, json: { success: false, token: null } })
    const body = { claim_code: pick(opened.json, 'claimCode') }
    await hub.ask('POST', '/api/v1/server-claims/claim', { token: ada.token, body, headers: PROTOCOL })
    const polled = await post('poll', { claimId, hubUrl: hub.url })
    t.match(polled, { status: 200, json: { success: true, message: 'This server is paired' } })
    const serverId = String(pick(polled.json, 'serverId'))
    const enrolment = { enrollmentJwt: pick(polled.json, 'token'), serverId, hubUrl: hub.url }
    t.match(await post('complete', enrolment), { status: 200, json: { success: true } }, 'existing clients repeat it')
    const foreign = { ...enrolment, enrollmentJwt: `${String(enrolment.enrollmentJwt).slice(0, -3)}AAA` }
    t.match(await post('complete', foreign), { status: 400, json: { code: 'enrolment_invalid' } })
    t.match(await post('heartbeat'), { status: 200, json: { success: true, receivedAt: /Z$/ } })
    t.match(await app.ask('GET', `${BASE}/status`, { token }), { json: { paired: true, serverId, problem: null } })
    t.match(await app.ask('GET', '/api/v1/health/relay'), {
      json: {
        hub: { configured: true, consecutiveFailures: 0, lastSuccessfulHeartbeat: /Z$/, enrollmentExpiresAt: /Z$/ },
      },
    })
    const minted = await hub.ask('POST', `/api/v1/me/servers/${serverId}/token`, { token: ada.token })
    t.match(minted, { status: 200, json: { token_type: 'Bearer', expires_in: 900 } })
    const me = await app.ask('GET', '/api/v1/auth/me', { token: String(pick(minted.json, 'token')) })
    t.match(me, { status: 200, json: { user: { username: 'admin' } } })
    t.match(await post('unenroll'), { status: 200, json: { success: true, confirmed: true } })
    t.equal((await app.ask('GET', '/api/v1/auth/me', { token: String(pick(minted.json, 'token')) })).status, 401)
  })
})
