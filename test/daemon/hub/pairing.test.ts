import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  listHubServers,
  listServersOfUser,
  readHubAudit,
  serverStatus,
  type DirectoryEvent,
} from '../../../src/core/hub/index.ts'
import { publicKeyHash } from '../../../src/core/hub-protocol/index.ts'
import { pick } from '../../support/app.ts'
import { fakeHome, pairHome, sendHeartbeat } from '../../support/home-server.ts'
import { PROTOCOL, startTestHub } from '../../support/hub.ts'
import { movableClock } from '../../support/records.ts'
import { waitUntil } from '../../support/wait-until.ts'

const clock = movableClock()
const hub = await startTestHub(t, { clock })
const ada = await hub.addUser('ada')
const bob = await hub.addUser('bob')

const CLAIMS = '/api/v1/server-claims'
const open = async (home = fakeHome(hub), more = {}) =>
  (await hub.ask('POST', `${CLAIMS}/new`, { body: await home.claimBody(more), headers: PROTOCOL })).json
const claim = (code: unknown, token = ada.token) =>
  hub.ask('POST', `${CLAIMS}/claim`, { token, body: { claim_code: code }, headers: PROTOCOL })
const poll = (id: unknown) => hub.ask('GET', `${CLAIMS}/${String(id)}`)
const code = (answer: { json: unknown }) => pick(answer.json, 'error')
const actions = async (): Promise<string[]> =>
  (await readHubAudit(hub.services, { limit: 100 })).entries.map(({ action }) => action)

/** The events of a test. */
function eventsOf(t: Test): DirectoryEvent[] {
  const events: DirectoryEvent[] = []
  t.teardown(hub.services.directory.onEvent((event) => events.push(event)))
  return events
}

void t.test('a home server gets a code, its owner confirms it, and the enrolment is delivered once', async (t) => {
  const opened = await open()
  t.match(opened, { claimCode: /^[A-Z2-9]{4}-[A-Z2-9]{4}$/, expiresIn: 600, hubBaseUrl: hub.url })
  t.match(await poll(pick(opened, 'claimId')), { status: 200, json: { status: 'pending' } })
  const claimed = await claim(String(pick(opened, 'claimCode')).toLowerCase())
  t.match(claimed, { status: 200, json: { hub_jwks_url: `${hub.url}/.well-known/jwks.json` } })
  const fetched = await poll(pick(opened, 'claimId'))
  t.match(fetched.json, { status: 'claimed', server_id: pick(claimed.json, 'server_id'), hub_base_url: hub.url })
  t.match(await poll(pick(opened, 'claimId')), { status: 410, json: { error: 'CLAIM_CODE_EXPIRED' } }, 'only once')
  const heartbeat = await sendHeartbeat(hub, {
    serverId: String(pick(fetched.json, 'server_id')),
    enrolmentJwt: String(pick(fetched.json, 'enrollment_jwt')),
  })
  t.match(heartbeat, { status: 200, json: { success: true, members: [{ user_id: ada.id, is_owner: true }] } })
})

void t.test('a code is valid once, for ten minutes, and for a signed-in user', async (t) => {
  const opened = await open()
  t.match(await claim(pick(opened, 'claimCode'), 'x.y.z'), { status: 401 })
  t.equal((await claim(pick(opened, 'claimCode'))).status, 200)
  t.match(await claim(pick(opened, 'claimCode'), bob.token), {
    status: 409,
    json: { error: 'CLAIM_CODE_ALREADY_CLAIMED' },
  })
  const late = await open()
  clock.advance(601)
  t.match(await claim(pick(late, 'claimCode')), { status: 410, json: { error: 'CLAIM_CODE_EXPIRED' } })
  t.match(await poll(pick(late, 'claimId')), { status: 410 })
  t.match(await claim('ABCD-EFGH'), { status: 404, json: { error: 'CLAIM_CODE_NOT_FOUND', message: /./ } })
  t.match(await poll('x'.repeat(200)), { status: 404 })
})

void t.test('concurrent confirmations of one code make one owner', async (t) => {
  clock.advance(601)
  const opened = await open()
  const answers = await Promise.all([ada, bob, ada, bob].map(({ token }) => claim(pick(opened, 'claimCode'), token)))
  t.strictSame(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409, 409, 409],
  )
})

void t.test('a user who guesses codes is stopped after ten attempts', async (t) => {
  clock.advance(601)
  const eve = await hub.addUser('eve')
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await claim('ABCD-EFGH', eve.token)).status)
  t.strictSame(statuses, [...Array<number>(10).fill(404), 429, 429])
  const opened = await open()
  t.equal((await claim(pick(opened, 'claimCode'), eve.token)).status, 429, 'also with a right one')
  t.equal((await claim(pick(opened, 'claimCode'))).status, 200, 'others are not affected')
})

void t.test('calls without the version of the protocol and without a usable key are refused', async (t) => {
  const body = await fakeHome(hub).claimBody()
  t.match(await hub.ask('POST', `${CLAIMS}/new`, { body }), {
    status: 400,
    json: { error: 'HUB_PROTOCOL_UNSUPPORTED' },
  })
  const other = { 'accept-phlix-protocol': 'v2' }
  t.equal((await hub.ask('POST', `${CLAIMS}/new`, { body, headers: other })).status, 400)
  t.match(await open(fakeHome(hub), { publicKeysJwk: { keys: [] } }), { error: 'SERVER_KEY_INVALID' })
  t.match(await open(fakeHome(hub), { proof: await fakeHome(hub).proof('claim') }), { error: 'SERVER_KEY_INVALID' })
  t.match(await open(fakeHome(hub), { serverName: '' }), { error: 'invalid_request', message: /serverName/ })
  t.match(await open(fakeHome(hub), { hostnameCandidates: ['javascript:alert(1)'] }), { error: 'invalid_request' })
})

void t.test('text that the database cannot store is refused; every other text is stored', async (t) => {
  const paired = await pairHome(hub, await hub.addUser('nora'))
  const bodyOf = async (serverName: string) => fakeHome(hub).claimBody({ serverName })
  for (const bad of ['a\0b', 'a\ud800b', '\udc00']) {
    const name = JSON.stringify(bad)
    const claimed = await hub.ask('POST', `${CLAIMS}/new`, { body: await bodyOf(bad), headers: PROTOCOL })
    t.equal(claimed.status, 400, `name ${name}`)
    const library = { library_id: 'a', library_name: bad }
    for (const more of [
      { version: bad },
      { libraries: [library] },
      { libraries: [{ library_id: bad, library_name: 'a' }] },
      { capabilities: [bad] },
      { hostnameCandidates: [`http://${bad}`] },
    ])
      t.equal((await sendHeartbeat(hub, paired, more)).status, 400, JSON.stringify(more))
  }
  const good = { libraries: [{ library_id: 'a', library_name: '\u{1f3ac} Ă\u0301 \t' }], capabilities: ['\u{1f3ac}'] }
  t.equal((await sendHeartbeat(hub, paired, good)).status, 200)
  t.equal((await hub.ask('POST', `${CLAIMS}/new`, { body: await bodyOf('\u{1f3ac}'), headers: PROTOCOL })).status, 200)
})

void t.test('a server that asks again gets the same code, but nobody else with its public key', async (t) => {
  const home = fakeHome(hub)
  const first = await open(home)
  const again = await open(home)
  t.equal(pick(again, 'claimCode'), pick(first, 'claimCode'))
  t.not(pick(again, 'claimId'), pick(first, 'claimId'), 'the secret of the claim is new')
  t.equal((await poll(pick(first, 'claimId'))).status, 404)
  const stranger = await open(home, { proof: undefined })
  t.not(pick(stranger, 'claimCode'), pick(first, 'claimCode'))
  t.equal((await claim(pick(again, 'claimCode'))).status, 200)
  t.match(await poll(pick(stranger, 'claimId')), { json: { status: 'pending' } })
})

void t.test('pairing again keeps the server, and ends its older tokens at once', async (t) => {
  clock.advance(601)
  const events = eventsOf(t)
  const first = await pairHome(hub, ada)
  t.equal((await sendHeartbeat(hub, first)).status, 200)
  const again = await pairHome(hub, ada, first.home)
  t.equal(again.serverId, first.serverId)
  t.match(await sendHeartbeat(hub, first), { status: 401, json: { error: 'UNAUTHENTICATED' } })
  t.equal((await sendHeartbeat(hub, again)).status, 200)
  await waitUntil('the tunnel of before is ended', async () =>
    events.some((event) => event.kind === 'server_revoked' && event.serverId === first.serverId),
  )
  const unproven = await open(first.home, { proof: undefined })
  const taken = await claim(pick(unproven, 'claimCode'))
  t.not(pick(taken.json, 'server_id'), first.serverId, 'a public key alone leads to no existing server')
})

void t.test('RE-09 an enrolment token of another server, key, algorithm or audience is refused', async (t) => {
  clock.advance(601)
  const [one, two] = [await pairHome(hub, ada), await pairHome(hub, bob)]
  t.equal((await sendHeartbeat(hub, { ...one, enrolmentJwt: two.enrolmentJwt })).status, 401, 'another server')
  const { json } = await hub.ask('GET', '/.well-known/jwks.json')
  const x = String(pick(json, 'keys', 0, 'x'))
  const claims = {
    type: 'enrollment',
    server_id: one.serverId,
    gen: 1,
    iss: 'phlix-hub',
    aud: 'server',
    sub: one.serverId,
  }
  const times = { iat: clock.unixSeconds(), exp: clock.unixSeconds() + 600 }
  const kid = String(pick(json, 'keys', 0, 'kid'))
  for (const secret of [x, Buffer.from(x, 'base64url')]) {
    const forged = await new SignJWT({ ...claims, ...times })
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(typeof secret === 'string' ? Buffer.from(secret) : secret)
    t.equal((await sendHeartbeat(hub, { ...one, enrolmentJwt: forged })).status, 401, 'the public key as a secret')
  }
  const own = await new SignJWT({ ...claims, ...times })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .sign(one.home.privateKey)
  t.equal((await sendHeartbeat(hub, { ...one, enrolmentJwt: own })).status, 401, 'signed by the server itself')
  const [head = '', payload = ''] = one.enrolmentJwt.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')
  for (const token of [`${none}.${payload}.AA`, `${head}.${payload}.AAAA`, 'a.b.c', ada.token]) {
    t.match(await sendHeartbeat(hub, { ...one, enrolmentJwt: token }), {
      status: 401,
      json: { error: 'UNAUTHENTICATED' },
    })
  }
  await hub.services.directory.issueServerToken({ userId: ada.id, serverId: one.serverId }).catch(() => undefined)
  await sendHeartbeat(hub, one)
  const forUser = await hub.services.directory.issueServerToken({ userId: ada.id, serverId: one.serverId })
  t.equal((await sendHeartbeat(hub, { ...one, enrolmentJwt: forUser })).status, 401, 'the token of a user')
})

void t.test('an expired enrolment is refused, and renewed with the key of the server only', async (t) => {
  const paired = await pairHome(hub, await hub.addUser('cas'))
  clock.advance(8 * 86_400)
  t.match(await sendHeartbeat(hub, paired), { status: 401, json: { error: 'ENROLLMENT_TOKEN_EXPIRED' } })
  const renew = (proof: string) =>
    hub.ask('POST', `/api/v1/servers/${paired.serverId}/enrolment`, { body: { proof }, headers: PROTOCOL })
  const right = await paired.home.proof('renewal', { subject: paired.serverId })
  const renewed = await renew(right)
  t.equal(renewed.status, 200)
  const enrolmentJwt = String(pick(renewed.json, 'enrollment_jwt'))
  t.equal((await sendHeartbeat(hub, { ...paired, enrolmentJwt })).status, 200)
  t.match(await renew(right), { status: 403, json: { error: 'AUTHORIZATION_FAILED' } }, 'a proof is accepted once')
  clock.advance(2)
  const wrong: [string, string][] = [
    ['another purpose', await paired.home.proof('claim', { subject: paired.serverId })],
    ['another server', await paired.home.proof('renewal', { subject: '00000000-0000-4000-8000-000000000000' })],
    [
      'another hub',
      await paired.home.proof('renewal', { subject: paired.serverId, audience: 'https://evil.example.org' }),
    ],
    ['another key', await fakeHome(hub).proof('renewal', { subject: paired.serverId })],
    ['the enrolment token itself', enrolmentJwt],
    ['no token', 'x'],
  ]
  for (const [claim, proof] of wrong) t.equal((await renew(proof)).status, 403, claim)
  t.equal(
    (await hub.ask('POST', '/api/v1/servers/x/enrolment', { body: { proof: right }, headers: PROTOCOL })).status,
    403,
  )
})

void t.test('a stolen enrolment token works at most until its owner renews, and is in the audit log', async (t) => {
  const dan = await hub.addUser('dan')
  const events = eventsOf(t)
  const paired = await pairHome(hub, dan)
  await sendHeartbeat(hub, paired)
  const thief = await hub.ask('POST', `/api/v1/servers/${paired.serverId}/heartbeat`, {
    token: paired.enrolmentJwt,
    headers: { ...PROTOCOL, 'x-forwarded-for': '203.0.113.9' },
    body: { version: '1.0.0' },
  })
  t.equal(thief.status, 200, 'it is a valid token')
  const log = await hub.ask('GET', '/api/v1/me/audit-logs', { token: dan.token })
  t.match(pick(log.json, 'logs', 0), { action: 'server.address_changed', address: '203.0.113.9' })
  for (let flap = 0; flap < 3; flap += 1) {
    await sendHeartbeat(hub, paired)
    await sendHeartbeat(hub, paired, {}, '203.0.113.9')
  }
  const flapping = await hub.ask('GET', '/api/v1/me/audit-logs', { token: dan.token })
  const changes = (pick(flapping.json, 'logs') as { action: string }[]).filter(
    ({ action }) => action === 'server.address_changed',
  )
  t.equal(changes.length, 2, 'one entry a day for each address')
  clock.advance(2)
  const proof = await paired.home.proof('renewal', { subject: paired.serverId })
  const renewed = await hub.ask('POST', `/api/v1/servers/${paired.serverId}/enrolment`, {
    body: { proof },
    headers: PROTOCOL,
  })
  t.equal(renewed.status, 200)
  t.equal((await sendHeartbeat(hub, paired)).status, 401, 'the stolen token has ended')
  await waitUntil('tunnels of the stolen token drain', () =>
    events.some(
      (event) => event.kind === 'server_renewed' && event.serverId === paired.serverId && event.generation === 2,
    ),
  )
  t.ok((await actions()).includes('server.renewed'))
})

void t.test('a tunnel of the thief is replaced by that of the owner, and both are told', async (t) => {
  const events = eventsOf(t)
  const paired = await pairHome(hub, await hub.addUser('finn'))
  const { directory } = hub.services
  const authorization = `Bearer ${paired.enrolmentJwt}`
  const server = await directory.authenticateServer(authorization)
  const place = { processId: 'p1', processAddress: 'http://127.0.0.1:1' }
  const thief = await directory.tunnelOpened({ ...server, ...place, remoteAddress: '203.0.113.9' })
  const own = await directory.tunnelOpened({ ...server, ...place, remoteAddress: '127.0.0.1' })
  await waitUntil('the first tunnel is told', async () =>
    events.some((event) => event.kind === 'tunnel_replaced' && event.tunnelId === thief.tunnelId),
  )
  t.ok((await actions()).includes('server.tunnel_replaced'))
  await directory.tunnelClosed({ serverId: paired.serverId, tunnelId: thief.tunnelId })
  await sendHeartbeat(hub, paired)
  const first = (await listHubServers(hub.services)).find(({ id }) => id === paired.serverId)
  t.equal(first?.hasTunnel, true, 'the end of the replaced tunnel does not remove its successor')
  const access = await directory.findServer({ userId: first?.ownerId ?? '', serverId: paired.serverId })
  t.match(access, { state: 'online', isOwner: true, tunnel: { tunnelId: own.tunnelId, processId: 'p1' } })
  t.strictSame(await directory.tunnelsAlive({ processId: 'p1' }), [own.tunnelId], 'a process is told what it holds')
  clock.advance(61)
  await directory.tunnelsAlive({ processId: 'p2' })
  t.strictSame(await directory.tunnelsAlive({ processId: 'p1' }), [], 'and what it has lost while it was silent')
  await sendHeartbeat(hub, paired)
  t.match(await directory.findServer({ userId: first?.ownerId ?? '', serverId: paired.serverId }), {
    state: 'online',
    tunnel: null,
  })
})

void t.test('a disabled server is refused at once, keeps its pairing, and its tunnel is ended', async (t) => {
  const events = eventsOf(t)
  const root = await hub.addUser('root', { isAdmin: true })
  const gus = await hub.addUser('gus')
  const paired = await pairHome(hub, gus)
  await sendHeartbeat(hub, paired)
  const place = { processId: 'p', processAddress: 'http://127.0.0.1:1', remoteAddress: '127.0.0.1' }
  const path = `/api/v1/admin/servers/${paired.serverId.toUpperCase()}`
  t.equal((await hub.ask('POST', `${path}/disable`, { token: gus.token })).status, 403)
  t.equal((await hub.ask('POST', `${path}/disable`, { token: root.token })).status, 200)
  t.equal((await sendHeartbeat(hub, paired)).status, 401)
  const authorization = `Bearer ${paired.enrolmentJwt}`
  await t.rejects(hub.services.directory.authenticateServer(authorization), { code: 'UNAUTHENTICATED' })
  const opening = { serverId: paired.serverId, generation: 1, ...place }
  await t.rejects(
    hub.services.directory.tunnelOpened(opening),
    { code: 'UNAUTHENTICATED' },
    'also between check and open',
  )
  clock.advance(2)
  const proof = await paired.home.proof('renewal', { subject: paired.serverId })
  const renewal = { body: { proof }, headers: PROTOCOL }
  t.equal((await hub.ask('POST', `/api/v1/servers/${paired.serverId}/enrolment`, renewal)).status, 403)
  await waitUntil('the tunnel is ended', async () =>
    events.some((event) => event.kind === 'server_revoked' && event.serverId === paired.serverId),
  )
  t.match(await hub.ask('GET', '/api/v1/me/servers', { token: gus.token }), {
    json: { servers: [{ status: 'disabled' }] },
  })
  t.equal((await hub.ask('POST', `${path}/enable`, { token: root.token })).status, 200)
  t.equal((await sendHeartbeat(hub, paired)).status, 200)
})

void t.test(
  'RE-11 a server is offline after three missed heartbeats of its interval, which is 30 s to an hour',
  async (t) => {
    const ida = await hub.addUser('ida')
    const paired = await pairHome(hub, ida)
    const state = async (): Promise<unknown> => {
      const [server] = await listServersOfUser(hub.services, ida.id)
      return server === undefined ? undefined : serverStatus(server, clock.now())
    }
    t.equal(await state(), 'claiming')
    await sendHeartbeat(hub, paired)
    clock.advance(180)
    t.equal(await state(), 'online')
    clock.advance(1)
    t.equal(await state(), 'offline')
    await sendHeartbeat(hub, paired, { intervalSeconds: 1 })
    clock.advance(90)
    t.equal(await state(), 'online', 'intervals below 30 s count as 30 s')
    await sendHeartbeat(hub, paired, { intervalSeconds: 1e6 })
    clock.advance(3 * 3600 + 1)
    t.equal(await state(), 'offline', 'and those above an hour as an hour')
  },
)

void t.test('the key of a server is replaced by a proof of the old one that names the new one', async (t) => {
  const jon = await hub.addUser('jon')
  const paired = await pairHome(hub, jon)
  const next = fakeHome(hub)
  const keys = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: next.kid, x: next.x }] }
  const put = (proof: string, publicKeysJwk: object = keys) =>
    hub.ask('PUT', `/api/v1/servers/${paired.serverId}/keys`, { body: { publicKeysJwk, proof }, headers: PROTOCOL })
  clock.advance(2)
  const subject = paired.serverId
  t.equal(
    (await put(await next.proof('keys', { subject, newKeys: [publicKeyHash(next)] }))).status,
    403,
    'by the new key',
  )
  const bad = await paired.home.proof('keys', { subject, newKeys: [publicKeyHash(paired.home)] })
  t.equal((await put(bad)).status, 403, 'for another key')
  const good = await paired.home.proof('keys', { subject, newKeys: [publicKeyHash(next)] })
  t.equal((await put(good)).status, 200)
  clock.advance(2)
  const renew = async (home: typeof next) =>
    (
      await hub.ask('POST', `/api/v1/servers/${subject}/enrolment`, {
        body: { proof: await home.proof('renewal', { subject }) },
        headers: PROTOCOL,
      })
    ).status
  t.equal(await renew(paired.home), 403)
  t.equal(await renew(next), 200)
})

void t.test('the signing key of the hub is rotated without a new pairing', async (t) => {
  const paired = await pairHome(hub, await hub.addUser('kim'))
  const before = await hub.services.signingKeys.publicKeys()
  clock.advance(2)
  const { kid } = await hub.services.signingKeys.rotate()
  const after = await hub.services.signingKeys.publicKeys()
  t.equal(after.length, before.length + 1)
  t.ok(after.some((key) => key.kid === kid))
  for (const key of after) t.strictSame(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  t.equal((await sendHeartbeat(hub, paired)).status, 200, 'tokens of the old key stay valid')
  clock.advance(31 * 86_400)
  const later = await hub.services.signingKeys.publicKeys()
  t.notOk(
    later.some((key) => key.kid === kid && later.length === 1),
    'a key signs for 30 days',
  )
  t.ok(
    later.every((key) => key.kid !== before[0]?.kid),
    'and is withdrawn after its last token',
  )
  const boxes = await hub.services.db.anyFirst(sql.unsafe`select private_box from hub_signing_keys`)
  const der = Buffer.from('302e020100300506032b6570', 'hex')
  t.notOk(
    boxes.some((box) => (box as Buffer).includes(der)),
    'no private key is readable in the database',
  )
})

void t.test('an owner ends a pairing, and so does the home server', async (t) => {
  const [lea, mia] = [await hub.addUser('lea'), await hub.addUser('mia')]
  const [one, two] = [await pairHome(hub, lea), await pairHome(hub, lea)]
  const path = (id: string) => `/api/v1/me/servers/${id}`
  t.equal((await hub.ask('DELETE', path(one.serverId), { token: mia.token })).status, 403)
  t.equal((await hub.ask('DELETE', path('x'), { token: lea.token })).status, 404)
  t.equal((await hub.ask('DELETE', path(one.serverId), { token: lea.token })).status, 204)
  t.equal((await sendHeartbeat(hub, one)).status, 401)
  const leave = (home: typeof two) =>
    hub.ask('DELETE', `/api/v1/servers/${two.serverId}/enrolment`, { token: home.enrolmentJwt, headers: PROTOCOL })
  t.equal((await leave(one)).status, 401)
  t.equal((await leave(two)).status, 200)
  t.match(await hub.ask('GET', '/api/v1/me/servers', { token: lea.token }), { json: { servers: [] } })
  t.equal(code(await sendHeartbeat(hub, two)), 'UNAUTHENTICATED')
})

void t.test('secrets of claims and invitations are stored as digests only', async (t) => {
  const opened = await open()
  const id = String(pick(opened, 'claimId'))
  const digests = await hub.services.db.anyFirst(sql.unsafe`select id_digest from hub_claims`)
  const digest = createHash('sha256').update(id).digest()
  t.ok(digests.some((stored) => digest.equals(stored as Buffer)))
})
