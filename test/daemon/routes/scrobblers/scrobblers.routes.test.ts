import t from 'tap'
import { startRefreshSession } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import {
  LASTFM,
  LISTENBRAINZ_TOKEN,
  scrobblingFlags,
  TRAKT,
  startFakeScrobbleServices,
} from '../../../support/fake-scrobble-services.ts'
import { testServices } from '../../../support/services.ts'

const ALL = '/api/v1/me/scrobblers'

const fake = await startFakeScrobbleServices(t)
const services = await testServices(t, { flags: scrobblingFlags(fake) })
const { ask, registerAdmin, registerUser, tokens } = await startApp(t, { services })
const [ada, bob] = [await registerUser(), await registerAdmin()]

void t.test('services are listed with what they need and the connection of the account', async (t) => {
  const { status, json } = await ask('GET', ALL, { token: ada.token })
  t.equal(status, 200)
  t.strictSame(json, {
    services: [
      { service: 'lastfm', title: 'Last.fm', is_configured: true, needs_token: false, connection: null },
      { service: 'listenbrainz', title: 'ListenBrainz', is_configured: true, needs_token: true, connection: null },
      { service: 'trakt', title: 'Trakt', is_configured: true, needs_token: false, connection: null },
    ],
  })
})

void t.test('a connection is started, completed after the approval, and ended', async (t) => {
  fake.approval = 'waiting'
  const started = await ask('POST', `${ALL}/lastfm/authorize`, { token: ada.token })
  t.match(started, { status: 200, json: { url: /^https:\/\/www\.last\.fm\/api\/auth\//, code: LASTFM.token } })
  const body = { code: pick(started.json, 'code') }
  const waiting = await ask('POST', `${ALL}/lastfm`, { token: ada.token, body })
  t.match(waiting, { status: 409, json: { code: 'scrobbler_not_approved' } })
  fake.approval = 'given'
  const connected = await ask('POST', `${ALL}/lastfm`, { token: ada.token, body })
  t.match(connected, { status: 200, json: { connection: { service: 'lastfm', service_username: 'ada_fm' } } })
  t.notMatch(connected.text, LASTFM.sessionKey, 'keys are never shown')
  const listed = await ask('GET', ALL, { token: ada.token })
  t.match(pick(listed.json, 'services', 0, 'connection'), { failure_count: 0, last_error: null })
  const ofOthers = await ask('GET', ALL, { token: bob.token })
  t.equal(pick(ofOthers.json, 'services', 0, 'connection'), null)
  t.match(await ask('DELETE', `${ALL}/lastfm`, { token: bob.token }), { status: 404 })
  t.match(await ask('DELETE', `${ALL}/lastfm`, { token: ada.token }), { status: 200 })
  t.match(await ask('DELETE', `${ALL}/lastfm`, { token: ada.token }), {
    status: 404,
    json: { code: 'scrobbler_not_found' },
  })
})

void t.test('a service with a token has nothing to approve', async (t) => {
  const started = await ask('POST', `${ALL}/listenbrainz/authorize`, { token: ada.token })
  t.strictSame(started.json, { url: null, user_code: null, code: null, interval: null, expires_in: null })
  const body = { code: LISTENBRAINZ_TOKEN }
  t.match(await ask('POST', `${ALL}/listenbrainz`, { token: ada.token, body }), { status: 200 })
})

void t.test('bad input is refused', async (t) => {
  const cases: [path: string, body: unknown, status: number][] = [
    ['/myspace', { code: 'x' }, 400],
    ['/lastfm', {}, 400],
    ['/lastfm', { code: '' }, 400],
    ['/lastfm', { code: 'x'.repeat(501) }, 400],
    ['/lastfm', { code: 'wrong' }, 400],
    ['/__proto__', { code: 'x' }, 400],
  ]
  for (const [path, body, status] of cases) {
    t.equal(
      (await ask('POST', ALL + path, { token: ada.token, body })).status,
      status,
      `${path} ${JSON.stringify(body)}`,
    )
  }
  t.equal((await ask('GET', ALL)).status, 401)
})

void t.test('webhooks of administrators do not list the reports of accounts', async (t) => {
  const { token } = bob
  t.match(await ask('POST', `${ALL}/listenbrainz`, { token, body: { code: LISTENBRAINZ_TOKEN } }), { status: 200 })
  const listed = await ask('GET', '/api/v1/admin/webhooks', { token })
  t.equal(listed.status, 200)
  t.notMatch(listed.text, 'listenbrainz')
})

void t.test('a session of the hub connects and ends nothing', async (t) => {
  const accountId = bob.account.id
  const { familyId: sessionId } = await startRefreshSession(services, { accountId, isRestricted: true })
  const token = tokens.issueAccess({ accountId, sessionId, profileId: accountId, epoch: 0 })
  const body = { code: LISTENBRAINZ_TOKEN }
  const calls = fake.calls.length
  for (const [method, path, sent] of [
    ['POST', '/lastfm/authorize', {}],
    ['POST', '/listenbrainz', { body }],
    ['DELETE', '/listenbrainz', {}],
  ] as const) {
    const answer = await ask(method, ALL + path, { token, ...sent })
    t.match(answer, { status: 403, json: { code: 'full_session_required' } }, `${method} ${path}`)
  }
  t.equal(fake.calls.length, calls, 'the service is not asked')
  const listed = await ask('GET', ALL, { token: bob.token })
  t.match(pick(listed.json, 'services', 1, 'connection'), { service: 'listenbrainz' }, 'the connection is as before')
})

void t.test('an outage of a service is told with its cause', async (t) => {
  fake.behaviour = 'failing'
  t.teardown(() => (fake.behaviour = 'well'))
  const failed = await ask('POST', `${ALL}/trakt/authorize`, { token: ada.token })
  t.match(failed, { status: 503, json: { code: 'scrobbling_service_failed', message: /Trakt/ } })
})

void t.test('codes of Trakt wait, are asked for more slowly, or say why they are of no more use', async (t) => {
  const connect = () => ask('POST', `${ALL}/trakt`, { token: ada.token, body: { code: TRAKT.deviceCode } })
  t.teardown(() => (fake.deviceTokenStatus = undefined))
  for (const [status, answer] of [
    [400, { status: 409, json: { code: 'scrobbler_not_approved', slow_down: false } }],
    [429, { status: 409, json: { code: 'scrobbler_not_approved', slow_down: true } }],
    [404, { status: 400, json: { code: 'scrobbler_refused', message: /does not know this code/ } }],
    [409, { status: 400, json: { code: 'scrobbler_refused', message: /used before/ } }],
    [410, { status: 400, json: { code: 'scrobbler_refused', message: /time for this code is over/ } }],
    [418, { status: 400, json: { code: 'scrobbler_refused', message: /refused the access/ } }],
    [500, { status: 503, json: { code: 'scrobbling_service_failed' } }],
  ] as const) {
    fake.deviceTokenStatus = status
    t.match(await connect(), answer, String(status))
  }
})
