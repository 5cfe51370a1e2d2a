import { readFileSync, statSync } from 'node:fs'
import { SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import {
  completePairing,
  createHubLink,
  endPairing,
  pollPairing,
  readEnrolment,
  startPairing,
  type HubLink,
} from '../../../src/core/hub-link/index.ts'
import {
  createAccount,
  endSession,
  listLoginSessions,
  requireFullSession,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import {
  acceptInvite,
  confirmClaim,
  createInviteLink,
  endShare,
  listServersOfUser,
  listServerShares,
  issueServerToken,
} from '../../../src/core/hub/index.ts'
import { createServerKey, rotateServerKey } from '../../../src/core/platform/keys/index.ts'
import { createLogger, createRecentLines } from '../../../src/core/platform/logging/index.ts'
import { startApp } from '../../support/app.ts'
import { fakeHome, pairHome, sendHeartbeat } from '../../support/home-server.ts'
import { startTestHub, type HubUserOfTest } from '../../support/hub.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const hubClock = movableClock()
const homeClock = movableClock()
const hub = await startTestHub(t, { clock: hubClock })
const ada = await hub.addUser('ada')
const bob = await hub.addUser('bob')

const base = await testServices(t, { clock: homeClock })
await createServerKey(base)
const recentLines = createRecentLines()
const log = await createLogger(base.config, { level: 'info', recentLines })
const hubLink: HubLink = createHubLink({ ...base, log })
t.teardown(() => hubLink.stop())
const services = { ...base, log, hubLink }
const home = await startApp(t, { services })
const owner = await home.registerAdmin()

/** Both clocks, which differ by what a test has set. */
function advance(seconds: number): void {
  hubClock.advance(seconds)
  homeClock.advance(seconds)
}

const file = `${base.config.dataDirectory}/keys/hub-enrolment.json`
const messages = (): string[] =>
  recentLines
    .lines()
    .map((line) => JSON.parse(line) as { domain?: string; msg: string })
    .filter(({ domain }) => domain === 'hub')
    .map(({ msg }) => msg)

async function pair(user: HubUserOfTest = ada): Promise<string> {
  const claim = await startPairing(services, { hubUrl: hub.url, serverName: 'Attic', serverPort: 8096 })
  const confirmation = { code: claim.claimCode, user: { ...user, email: '', isAdmin: false, sessionId: '' } }
  await confirmClaim(hub.services, { ...confirmation, hubOrigin: hub.url, clientAddress: '127.0.0.1' })
  const enrolment = await pollPairing(services, { ...claim, accountId: owner.account.id })
  hubLink.enrolment.check()
  if (enrolment === undefined) throw new Error('the claim is not confirmed')
  return enrolment.serverId
}

const tokenOf = async (userId: string, serverId: string): Promise<string> =>
  (await issueServerToken(hub.services, { userId, serverId })).token
const whoIs = async (token: string) => home.ask('GET', '/api/v1/auth/me', { token })

let serverId = ''

void t.test('a server is paired once; its enrolment is a file that only its account reads', async (t) => {
  const waiting = await startPairing(services, { hubUrl: hub.url, serverPort: 8096 })
  t.equal(await pollPairing(services, { ...waiting, accountId: null }), undefined, 'nobody has confirmed it')
  serverId = await pair()
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(JSON.parse(readFileSync(file, 'utf8')), {
    enrollment_jwt: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    hub_jwks_url: `${hub.url}/.well-known/jwks.json`,
    server_id: serverId,
    hub_base_url: hub.url,
    enrolled_at: /Z$/,
  })
  await t.rejects(startPairing(services, { hubUrl: hub.url, serverPort: 8096 }), { code: 'already_paired' })
  await t.rejects(startPairing(services, { hubUrl: undefined, serverPort: 8096 }), { code: 'hub_url_missing' })
  t.match(hubLink.enrolment.current(), { hubBaseUrl: hub.url, serverId })
})

void t.test('a foreign enrolment is not stored', async (t) => {
  const before = readFileSync(file, 'utf8')
  const foreign = await pairHome(hub, bob)
  const input = { hubUrl: hub.url, hubJwksUrl: '', accountId: null }
  const wrong = [
    { enrolmentJwt: foreign.enrolmentJwt, serverId },
    { enrolmentJwt: `${foreign.enrolmentJwt}AA`, serverId: foreign.serverId },
    { enrolmentJwt: 'x', serverId },
  ]
  for (const one of wrong) {
    await t.rejects(completePairing(services, { ...input, ...one }), { code: 'enrolment_invalid' })
  }
  t.equal(readFileSync(file, 'utf8'), before)
})

void t.test('a heartbeat tells the hub the libraries, and the server who may use it', async (t) => {
  await hubLink.sendHeartbeat()
  t.match(hubLink.status(), { isPaired: true, failures: 0, failure: null, lastHeartbeatAt: homeClock.now() })
  const { json } = await hub.ask('GET', '/api/v1/me/servers', { token: ada.token })
  t.match(json, { servers: [{ serverId, serverName: 'Attic', status: 'online', relayActive: false, libraryCount: 0 }] })
})

void t.test('the owner is signed in by a token of the hub, without the rights of an administrator', async (t) => {
  const token = await tokenOf(ada.id, serverId)
  t.match(await whoIs(token), { status: 200, json: { user: { username: owner.account.username } } })
  t.match(await home.ask('GET', '/api/v1/admin/users', { token }), { status: 403 })
  t.match(
    await home.ask('GET', '/api/v1/admin/users', { token: owner.token }),
    { status: 200 },
    'the own session is whole',
  )
})

void t.test(
  'a user of the hub changes nothing of the account beyond the session: passkeys, devices, connections',
  async (t) => {
    const token = await tokenOf(ada.id, serverId)
    const identity = await hubLink.identify(token)
    const session = { accountId: identity?.account.id ?? '', sessionId: identity?.sessionId ?? '' }
    await t.rejects(requireFullSession(base.db, session), { code: 'full_session_required' })
    const accountId = owner.account.id
    const { familyId: sessionId } = await startRefreshSession(base, { accountId })
    await t.resolves(requireFullSession(base.db, { accountId, sessionId }), 'the owner can')
    const removed = await home.ask('DELETE', '/api/v1/me/webauthn/credentials/AAAA', { token })
    t.match(removed, { status: 403, text: /"full_session_required"/ })
    for (const [method, path] of [
      ['GET', '/api/v1/me/devices'],
      ['DELETE', '/api/v1/me/devices'],
      ['POST', '/api/v1/me/scrobblers/listenbrainz'],
    ] as const) {
      const body = method === 'POST' ? { body: { code: 'x' } } : {}
      t.match(
        await home.ask(method, path, { token, ...body }),
        { status: 403, json: { code: 'full_session_required' } },
        `${method} ${path}`,
      )
    }
    t.equal((await whoIs(owner.token)).status, 200, 'the session of the owner goes on')
  },
)

void t.test(
  'RE-09 tokens that are expired, for another server, audience or issuer, or signed otherwise, are refused',
  async (t) => {
    const foreign = await pairHome(hub, bob)
    await sendHeartbeat(hub, foreign)
    t.equal((await whoIs(await tokenOf(bob.id, foreign.serverId))).status, 401, 'another server')
    const enrolment = readEnrolment(services)?.enrolmentJwt ?? ''
    t.equal((await whoIs(enrolment)).status, 401, 'the enrolment token')
    const good = await tokenOf(ada.id, serverId)
    const [head = '', payload = '', signature = ''] = good.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const stranger = fakeHome(hub)
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
    const forged = (changes: object, key = stranger.privateKey) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key)
    t.equal((await whoIs(await forged({}))).status, 401, 'another key with the id of the hub')
    const [{ x } = { x: '' }] = await hub.services.signingKeys.publicKeys()
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(x))
    t.equal((await whoIs(confused)).status, 401, 'the public key as a secret')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    t.equal((await whoIs(`${none}.${payload}.${signature}`)).status, 401, 'no algorithm')
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: bob.id })).toString('base64url')
    t.equal((await whoIs(`${head}.${changed}.${signature}`)).status, 401, 'another subject')
    const { signingKeys } = hub.services
    const base = { sub: ada.id, server_id: serverId, jti: randomUUID() }
    const right = { audience: 'phlix-server', lifetimeSeconds: 900 }
    t.equal((await whoIs(await signingKeys.sign(base, right))).status, 200, 'the same claims are right')
    t.equal((await whoIs(await signingKeys.sign({ ...base, jti: '' }, right))).status, 401, 'no id')
    t.equal((await whoIs(await signingKeys.sign({ ...base, sub: 'x' }, right))).status, 401, 'no user')
    t.equal(
      (await whoIs(await signingKeys.sign(base, { ...right, audience: 'server' }))).status,
      401,
      'another audience',
    )
    t.equal((await whoIs(await signingKeys.sign(base, { ...right, lifetimeSeconds: -301 }))).status, 401, 'expired')
  },
)

void t.test('clocks that differ by five minutes are tolerated, both ways', async (t) => {
  for (const skew of [290, -580, 290]) {
    homeClock.advance(skew)
    await hubLink.sendHeartbeat()
    t.equal((await whoIs(await tokenOf(ada.id, serverId))).status, 200, `${skew} s`)
    await hubLink.renew()
    await hubLink.sendHeartbeat()
  }
  homeClock.advance(-600)
  t.equal((await whoIs(await tokenOf(ada.id, serverId))).status, 401, 'ten minutes are too much')
  homeClock.advance(600)
})

void t.test(
  'RE-09 the key set of the hub is kept for 900 s, and read again for an unknown key, but not for each one',
  async (t) => {
    let reads = 0
    const counted = createHubLink({
      ...base,
      log,
      outbound: {
        ...base.outbound,
        send: (request, signal) => {
          if (request.url.endsWith('/jwks.json')) reads += 1
          return base.outbound.send(request, signal)
        },
      },
    })
    t.teardown(() => counted.stop())
    const identify = async () => (await counted.identify(await tokenOf(ada.id, serverId))) !== undefined
    t.ok(await identify())
    t.ok(await identify())
    t.equal(reads, 1)
    advance(31)
    await hub.services.signingKeys.rotate()
    t.ok(await identify(), 'a new key of the hub')
    t.equal(reads, 2)
    const stranger = fakeHome(hub)
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const token = await new SignJWT({ sub: ada.id, jti: 'x' })
        .setProtectedHeader({ alg: 'EdDSA', kid: `k${attempt}` })
        .sign(stranger.privateKey)
      t.equal(await counted.identify(token), undefined)
    }
    t.equal(reads, 2, 'unknown keys cause no flood')
    advance(901)
    await hubLink.sendHeartbeat()
    t.ok(await identify())
    t.equal(reads, 3, 'an old set is not used')
  },
)

void t.test('a shared server gets an account for the other user at once, which ends with the share', async (t) => {
  const { code } = await createInviteLink(hub.services, { serverId, libraryIds: null, user: ada })
  await hubLink.sendHeartbeat()
  await acceptInvite(hub.services, { code, user: bob })
  const token = await tokenOf(bob.id, serverId)
  const answers = await Promise.all([whoIs(token), whoIs(token), whoIs(token)])
  for (const answer of answers) t.match(answer, { status: 200, json: { user: { username: 'bob' } } })
  t.equal((await home.ask('GET', '/api/v1/admin/users', { token })).status, 403)
  const accounts = await base.db.anyFirst(sql.unsafe`select email from users where username like 'bob%'`)
  t.strictSame(accounts, [`${bob.id}@hub.invalid`], 'concurrent first requests make one account')
  const sessions = await base.db.anyFirst(
    sql.unsafe`select f.id from refresh_families f join users u on u.id = f.user_id where u.username = 'bob'`,
  )
  t.equal(sessions.length, 1, 'and one session')
  const [share] = await listServerShares(hub.services, ada.id)
  await endShare(hub.services, { id: share?.id ?? '', user: ada })
  await t.rejects(tokenOf(bob.id, serverId), { code: 'server.not_owned' })
  t.equal((await whoIs(token)).status, 200, 'until the server hears of it')
  await hubLink.sendHeartbeat()
  t.equal((await whoIs(token)).status, 401)
  const again = await createInviteLink(hub.services, { serverId, libraryIds: null, user: ada })
  await acceptInvite(hub.services, { code: again.code, user: bob })
  await hubLink.sendHeartbeat()
  advance(1)
  t.match(
    await whoIs(await tokenOf(bob.id, serverId)),
    { status: 200, json: { user: { username: 'bob' } } },
    'the same account',
  )
})

void t.test('a name that is taken gets an addition', async (t) => {
  const cas = await hub.addUser('user')
  await home.registerUser()
  const { code } = await createInviteLink(hub.services, { serverId, libraryIds: null, user: ada })
  await acceptInvite(hub.services, { code, user: cas })
  await hubLink.sendHeartbeat()
  t.match(await whoIs(await tokenOf(cas.id, serverId)), { status: 200, json: { user: { username: 'user (hub)' } } })
})

void t.test('names that are not permitted here do not matter', async (t) => {
  const odd = await hub.addUser('odd')
  const { code } = await createInviteLink(hub.services, { serverId, libraryIds: null, user: ada })
  await acceptInvite(hub.services, { code, user: odd })
  await hubLink.sendHeartbeat()
  await base.db.query(sql.unsafe`update hub_members set username = 'a@b' where hub_user_id = ${odd.id}`)
  t.match(await whoIs(await tokenOf(odd.id, serverId)), { status: 200, json: { user: { username: `hub ${odd.id}` } } })
})

void t.test('an account that somebody else has made is not taken over, whatever its address is', async (t) => {
  const liv = await hub.addUser('liv')
  const email = `${liv.id}@hub.invalid`
  const made = await createAccount(base, { username: 'squatter', email, password: 'correct horse', isAdmin: true })
  const { code } = await createInviteLink(hub.services, { serverId, libraryIds: null, user: ada })
  await acceptInvite(hub.services, { code, user: liv })
  await hubLink.sendHeartbeat()
  const identity = await hubLink.identify(await tokenOf(liv.id, serverId))
  t.match(identity?.account, { username: 'liv', email: /@hub\.invalid$/ })
  t.not(identity?.account.id, made.id)
})

void t.test('a session of a user of the hub stays in the list of sessions for longer than a token lives', async (t) => {
  const identity = await hubLink.identify(await tokenOf(bob.id, serverId))
  const accountId = identity?.account.id ?? ''
  const clock = movableClock(homeClock.now().toISOString())
  clock.advance(8 * 86_400)
  t.match(await listLoginSessions({ db: base.db, clock }, { accountId, limit: 10 }), [
    { id: identity?.sessionId, username: 'bob', expiresAt: null },
  ])
})

void t.test('who was the owner does not act as the account of the owner any more', async (t) => {
  await base.db.query(sql.unsafe`update hub_members set is_owner = false where hub_user_id = ${ada.id}`)
  const token = await tokenOf(ada.id, serverId)
  t.match(await whoIs(token), { status: 200, json: { user: { username: 'ada' } } })
  await hubLink.sendHeartbeat()
  t.match(await whoIs(token), { status: 200, json: { user: { username: owner.account.username } } })
})

void t.test('a share of some libraries is not possible at a server that cannot limit accounts', async (t) => {
  const inviting = createInviteLink(hub.services, { serverId, libraryIds: ['films'], user: ada })
  await t.rejects(inviting, { code: 'libraries_not_limited' })
  // A hub that sends one anyway gives no access.
  await hub.services.db.query(sql.unsafe`update hub_shares set library_ids = '["films"]' where user_id = ${bob.id}`)
  await hubLink.sendHeartbeat()
  t.equal((await whoIs(await tokenOf(bob.id, serverId))).status, 401)
  await hub.services.db.query(sql.unsafe`update hub_shares set library_ids = null where user_id = ${bob.id}`)
  await hubLink.sendHeartbeat()
  t.equal((await whoIs(await tokenOf(bob.id, serverId))).status, 200)
})

void t.test('after a sign-out only a token that was made later opens a session', async (t) => {
  const token = await tokenOf(bob.id, serverId)
  const identity = await hubLink.identify(token)
  await endSession(services, { accountId: identity?.account.id ?? '', sessionId: identity?.sessionId ?? '' })
  t.equal((await whoIs(token)).status, 401)
  advance(2)
  t.equal((await whoIs(await tokenOf(bob.id, serverId))).status, 200)
})

void t.test('a disabled account is refused, whatever the hub says', async (t) => {
  await base.db.query(sql.unsafe`update users set status = 'disabled' where username = 'bob'`)
  t.equal((await whoIs(await tokenOf(bob.id, serverId))).status, 401)
  await base.db.query(sql.unsafe`update users set status = 'active' where username = 'bob'`)
})

void t.test('the enrolment is renewed after half of its lifetime, and after its end', async (t) => {
  const before = readEnrolment(services)?.enrolmentJwt
  advance(3 * 86_400)
  await hubLink.sendHeartbeat()
  t.equal(readEnrolment(services)?.enrolmentJwt, before, 'after three days it is kept')
  advance(86_400)
  await hubLink.sendHeartbeat()
  const renewed = readEnrolment(services)?.enrolmentJwt
  t.not(renewed, before)
  t.equal(statSync(file).mode & 0o777, 0o600)
  advance(30 * 86_400)
  await hubLink.sendHeartbeat()
  t.not(readEnrolment(services)?.enrolmentJwt, renewed, 'a month without a hub needs no new pairing')
})

void t.test('a stolen and replaced token is renewed by the next heartbeat', async (t) => {
  await hub.services.db.query(sql.unsafe`update hub_servers set generation = generation + 1 where id = ${serverId}`)
  advance(2)
  await hubLink.sendHeartbeat()
  t.match(hubLink.status(), { failures: 0 })
})

void t.test('the key of the server is rotated without a new pairing, also twice between two heartbeats', async (t) => {
  await rotateServerKey(base)
  homeClock.advance(1)
  const { key } = await rotateServerKey(base)
  advance(2)
  await hubLink.sendHeartbeat()
  t.equal(readEnrolment(services)?.keyId, key.kid)
  advance(2)
  await hubLink.renew()
  await hubLink.sendHeartbeat()
  t.match(hubLink.status(), { failures: 0 })
})

void t.test(
  'RE-11 while the hub is down for an hour the server works, and logs one line for each change',
  async (t) => {
    const token = await tokenOf(ada.id, serverId)
    const seen = messages().length
    await hub.down()
    for (let minute = 0; minute < 60; minute += 1) {
      advance(60)
      await t.rejects(hubLink.sendHeartbeat(), { code: 'hub_unreachable' })
    }
    t.equal((await whoIs(owner.token)).status, 401, 'its own tokens expire as always')
    t.equal((await whoIs(await home.signIn(owner.account.id))).status, 200, 'the server works')
    t.equal((await whoIs(token)).status, 401, 'no token of the hub is accepted with old keys')
    t.match(hubLink.status(), { failures: 60, failure: /127\.0\.0\.1/ })
    const health = await home.ask('GET', '/api/v1/health/relay')
    t.match(health.json, { hub: { configured: true, consecutiveFailures: 60, stale: true, isEnrolled: true } })
    t.notMatch(health.text, '127.0.0.1', 'reasons are for administrators')
    t.match(await home.ask('GET', '/api/v1/health/network'), { json: { status: 'offline' } })
    await hub.up()
    await hubLink.sendHeartbeat()
    t.match(await home.ask('GET', '/api/v1/health/network'), { json: { status: 'healthy' } })
    t.strictSame(messages().slice(seen), ['the hub is not told about this server', 'the hub knows this server'])
  },
)

void t.test('the end of the pairing removes the enrolment, also without the hub', async (t) => {
  await hub.down()
  t.match(await endPairing(services), { serverId, isConfirmed: false })
  await hub.up()
  t.equal(readEnrolment(services), undefined)
  t.equal(hubLink.enrolment.current(), undefined)
  await t.rejects(endPairing(services), { code: 'not_paired' })
  await t.rejects(hubLink.sendHeartbeat(), { code: 'not_paired' })
  t.equal(await pair(), serverId, 'the same server is known again')
  t.match(await endPairing(services), { isConfirmed: true })
  t.strictSame(await listServersOfUser(hub.services, ada.id), [])
})
