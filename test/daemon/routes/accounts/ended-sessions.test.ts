import t, { type Test } from 'tap'
import {
  disableAccount,
  resetPassword,
  rotateRefreshToken,
  updateAccount,
  type Account,
} from '../../../../src/core/accounts/index.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'
import { startSockets } from '../../../support/sockets.ts'

const PASSWORD = 'correct horse'
const UNAUTHORIZED = { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } }

type Pair = { access: string; refresh: string }

async function logIn({ ask }: TestApp): Promise<Pair> {
  const { json } = await ask('POST', '/api/v1/auth/login', { body: { username: 'user', password: PASSWORD } })
  return { access: String(pick(json, 'access_token')), refresh: String(pick(json, 'refresh_token')) }
}

const me = (app: TestApp, token: string) => app.ask('GET', '/api/v1/auth/me', { token })

type End = (app: TestApp, pair: Pair, account: Account) => Promise<unknown>

/** Actions that end one session. */
const ENDS_OF_ONE: Record<string, End> = {
  'a logout with the refresh token': (app, { refresh }) =>
    app.ask('POST', '/api/v1/auth/logout', { body: { refresh_token: refresh } }),
  'a logout with the access token': (app, { access }) =>
    app.ask('POST', '/api/v1/auth/logout', { token: access, body: {} }),
  'a refresh token that is used again': async (app, { refresh }) => {
    const jti = app.tokens.verifyRefresh(refresh).jti
    await rotateRefreshToken(app.services, { jti })
    await rotateRefreshToken({ ...app.services, clock: later(app) }, { jti }).catch(() => undefined)
  },
}

/** Actions that end all sessions of an account. */
const ENDS_OF_ALL: Record<string, End> = {
  'a password reset': ({ services }) => resetPassword(services, { usernameOrEmail: 'user' }),
  'a new password': ({ services }, _pair, { id }) =>
    updateAccount(services, { accountId: id, fields: { password: 'another one entirely' } }),
  'disabling the account': ({ services }) => disableAccount(services, { usernameOrEmail: 'user' }),
}

function later({ services: { clock } }: TestApp): typeof clock {
  return { ...clock, now: () => new Date(clock.now().getTime() + 60_000) }
}

for (const [claim, end] of Object.entries(ENDS_OF_ONE)) {
  void t.test(`${claim} ends the access tokens of its session, and those of no other`, async (t) => {
    const app = await startApp(t)
    const { account } = await app.registerUser()
    const [ended, other] = [await logIn(app), await logIn(app)]
    t.equal((await me(app, ended.access)).status, 200)
    await end(app, ended, account)
    t.match(await me(app, ended.access), UNAUTHORIZED)
    t.equal((await me(app, other.access)).status, 200)
  })
}

for (const [claim, end] of Object.entries(ENDS_OF_ALL)) {
  void t.test(`${claim} ends every access token of the account, and those of no other account`, async (t) => {
    const app = await startApp(t)
    const { account } = await app.registerUser()
    const admin = await app.registerAdmin()
    const pairs = [await logIn(app), await logIn(app)]
    await end(app, pairs[0] as Pair, account)
    for (const { access } of pairs) t.match(await me(app, access), UNAUTHORIZED)
    t.equal((await me(app, admin.token)).status, 200)
  })
}

void t.test('an access token of an ended session is refused on every route', async (t) => {
  const app = await startApp(t)
  await app.registerUser()
  const { access, refresh } = await logIn(app)
  await app.ask('POST', '/api/v1/auth/logout', { body: { refresh_token: refresh } })
  const id = '00000000-0000-4000-8000-000000000000'
  const guarded = app.app.declaredRoutes.filter(({ access, method }) => access !== 'public' && method !== 'HEAD')
  t.ok(guarded.length > 100)
  for (const { method, url } of guarded) {
    const path = url.replaceAll(/:\w+(\([^)]*\))?/g, id).replace('*', 'x')
    const { status } = await app.ask(method, path, { token: access, ...(method === 'GET' ? {} : { body: {} }) })
    t.equal(status, 401, `${method} ${url}`)
  }
  t.match(await app.ask('POST', '/api/v1/auth/logout', { token: access, body: {} }), UNAUTHORIZED)
})

void t.test('an access token is good for its own account only, whatever session it names', async (t) => {
  const app = await startApp(t)
  const [user, admin] = [await app.registerUser(), await app.registerAdmin()]
  const { sid: sessionId } = app.tokens.verifyAccess(user.token)
  const mixed = app.tokens.issueAccess({
    accountId: admin.account.id,
    profileId: admin.account.id,
    sessionId,
    epoch: 0,
  })
  t.match(await me(app, mixed), UNAUTHORIZED)
})

/** Connects the WebSockets of two sessions of `user`, ends the first session and returns the effect. */
async function socketsOfTwo(t: Test, end: End) {
  const app = await startSockets(t)
  const { account } = await app.registerUser()
  const [first, second] = [await logIn(app), await logIn(app)]
  const [ended, other] = [await app.connect(first.access), await app.connect(second.access)]
  await end(app, first, account)
  return { app, ended, other }
}

void t.test('a logout closes the WebSockets of its session at once, and those of no other', async (t) => {
  const { ended, other } = await socketsOfTwo(t, ENDS_OF_ONE['a logout with the refresh token'] as End)
  t.match(await ended.closed, { code: 4001, reason: 'the session has ended' })
  other.send({ type: 'ping' })
  t.ok(await other.next('pong'))
})

void t.test('a password reset closes all WebSockets of the account at once', async (t) => {
  const { ended, other } = await socketsOfTwo(t, ENDS_OF_ALL['a password reset'] as End)
  for (const { closed } of [ended, other]) t.match(await closed, { code: 4001 })
})

void t.test('a reset by another process closes the WebSockets with the next sweep', async (t) => {
  const silent = { publish: () => undefined }
  const { app, ended, other } = await socketsOfTwo(t, ({ services }) =>
    resetPassword({ ...services, events: silent }, { usernameOrEmail: 'user' }),
  )
  await app.server.sweep()
  for (const { closed } of [ended, other]) t.match(await closed, { code: 4001 })
})

void t.test('a WebSocket cannot be kept open with a token of a session that has ended', async (t) => {
  const app = await startSockets(t)
  await app.registerUser()
  const [ended, open] = [await logIn(app), await logIn(app)]
  const client = await app.connect(open.access)
  await app.ask('POST', '/api/v1/auth/logout', { body: { refresh_token: ended.refresh } })
  client.send({ type: 'auth_request', data: { token: ended.access } })
  t.match(await client.next('auth_failure'), { data: { code: 'auth.required' } })
  await t.rejects(app.connect(ended.access), /refused with 401/)
})
