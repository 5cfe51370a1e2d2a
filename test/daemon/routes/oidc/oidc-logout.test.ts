import { generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { pick, type Answer } from '../../../support/app.ts'
import { CLIENT_ID } from '../../../support/oidc.ts'
import { codeOf, PUBLIC_URL, startOidcApp, type OidcApp } from './oidc-app.ts'

const LOGOUT = '/api/v1/auth/oidc/backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

function send(app: OidcApp, token: string): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.ask('POST', LOGOUT, { body: `logout_token=${token}`, headers })
}

function claimsFor(app: OidcApp, changes: Record<string, unknown> = {}): JWTPayload {
  const iat = Math.floor(Date.now() / 1000)
  const events = { [EVENT]: {} }
  const claims = { iss: app.provider.issuer, aud: CLIENT_ID, iat, exp: iat + 120, jti: randomUUID(), events }
  return { ...claims, sub: 'person-1', ...changes }
}

const logoutToken = (app: OidcApp, changes: Record<string, unknown> = {}, header = {}): Promise<string> =>
  app.provider.sign(claimsFor(app, changes), { header: { typ: 'logout+jwt', ...header } })

const statusOf = async (app: OidcApp, signedIn: Answer): Promise<number> =>
  (await app.ask('GET', '/api/v1/auth/me', { token: String(pick(signedIn.json, 'access_token')) })).status

void t.test('a logout at the provider ends the session here at once', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const browser = app.newBrowser()
  const [signedIn, elsewhere] = [await app.signInOnce(browser), await app.signInOnce()]
  t.equal(await statusOf(app, signedIn), 200)
  const token = String(pick(signedIn.json, 'access_token'))
  // The page of the provider with the form, which a browser sends.
  const answer = await app.ask('POST', '/api/v1/auth/oidc/logout', { token })
  t.equal(answer.status, 200)
  t.equal(await statusOf(app, signedIn), 401, 'the session has ended here')
  t.equal(await statusOf(app, elsewhere), 200, 'the session of another browser has not')
  const address = new URL(String(pick(answer.json, 'address')))
  t.equal(address.origin, app.provider.issuer)
  t.equal(address.searchParams.get('post_logout_redirect_uri'), `${PUBLIC_URL}/`)
  const page = await (await browser.get(address.href)).text()
  const form = new URLSearchParams({ xsrf: /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? '', logout: 'yes' })
  const again = await app.signInOnce(browser)
  t.equal(await statusOf(app, again), 200)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const confirm = `${app.provider.issuer}/session/end/confirm`
  const ended = await fetch(confirm, { method: 'POST', body: form, headers, redirect: 'manual' })
  t.equal(ended.headers.get('location'), `${PUBLIC_URL}/`)
  t.equal(await statusOf(app, again), 401, 'the provider has sent a logout token')
  t.equal(await statusOf(app, elsewhere), 200)
})

void t.test('a logout token with a person ends all sessions of the person, and those of nobody else', async (t) => {
  const app = await startOidcApp(t)
  const { token: adminToken } = await app.registerAdmin()
  const own = [await app.signInOnce(), await app.signInOnce()]
  app.provider.state.person = { sub: 'person-2', preferred_username: 'bob' }
  const other = await app.signInOnce()
  const reply = await send(app, await logoutToken(app))
  t.strictSame([reply.status, reply.text, reply.headers.get('cache-control')], [200, '', 'no-store'])
  t.strictSame(await Promise.all(own.map((signedIn) => statusOf(app, signedIn))), [401, 401])
  t.equal(await statusOf(app, other), 200)
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: adminToken })).status, 200)
  const refresh = { body: { refresh_token: pick(own[0]?.json, 'refresh_token') } }
  t.equal((await app.ask('POST', '/api/v1/auth/refresh', refresh)).status, 401)
})

void t.test('OIDC replay: a logout token counts once', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const token = await logoutToken(app)
  t.equal((await send(app, token)).status, 200)
  const signedIn = await app.signInOnce()
  t.match(await send(app, token), { status: 400, json: { code: 'oidc_logout_token_invalid' } })
  t.equal(await statusOf(app, signedIn), 200)
})

void t.test('a logout token that could not be executed is executed when the provider repeats it', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const sessions = [await app.signInOnce(), await app.signInOnce()]
  const token = await logoutToken(app)
  const { db } = app.services
  await db.query(sql.unsafe`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$`)
  await db.query(sql.unsafe`
    create trigger refuse before update on refresh_families for each row when (new.revoked_at is not null)
    execute function refuse()`)
  t.equal((await send(app, token)).status, 500)
  t.strictSame(await Promise.all(sessions.map((signedIn) => statusOf(app, signedIn))), [200, 200])
  await db.query(sql.unsafe`drop trigger refuse on refresh_families`)
  t.equal((await send(app, token)).status, 200)
  t.strictSame(await Promise.all(sessions.map((signedIn) => statusOf(app, signedIn))), [401, 401])
})

void t.test('a logout between the answer of the provider and the exchange of the code counts', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const { arrived, verifier } = await app.arrive()
  t.equal((await send(app, await logoutToken(app))).status, 200)
  const body = { code: codeOf(arrived), verifier }
  t.equal((await app.ask('POST', '/api/v1/auth/oidc/token', { body })).status, 401)
})

const seconds = (): number => Math.floor(Date.now() / 1000)

const WRONG: Record<string, { claims?: () => Record<string, unknown>; header?: object }> = {
  'of another issuer': { claims: () => ({ iss: 'https://evil.example' }) },
  'for another client': { claims: () => ({ aud: 'another' }) },
  'without an id': { claims: () => ({ jti: undefined }) },
  'without a time': { claims: () => ({ iat: undefined }) },
  'that is old': { claims: () => ({ iat: seconds() - 1200, exp: seconds() + 600 }) },
  'that has expired': { claims: () => ({ exp: seconds() - 120 }) },
  'from the future': { claims: () => ({ iat: seconds() + 3600, exp: seconds() + 7200 }) },
  'without an event': { claims: () => ({ events: undefined }) },
  'with another event': { claims: () => ({ events: { [`${EVENT}2`]: {} } }) },
  'whose event is in a prototype': { claims: () => ({ events: ['constructor'] }) },
  'with a nonce': { claims: () => ({ nonce: 'n' }) },
  'about nobody': { claims: () => ({ sub: undefined }) },
  'of the type of an ID token': { header: { typ: 'JWT' } },
  'without a type': { header: { typ: undefined } },
}

void t.test('logout tokens that do not pass every check are refused', async (t) => {
  const app = await startOidcApp(t, { flags: { 'server.rate_limit.oidc_logout.max': '1000' } })
  await app.registerAdmin()
  const signedIn = await app.signInOnce()
  const refused = { status: 400, json: { code: 'oidc_logout_token_invalid' } }
  for (const [name, { claims, header }] of Object.entries(WRONG)) {
    t.match(await send(app, await logoutToken(app, claims?.() ?? {}, header)), refused, `a token ${name}`)
  }
  const { privateKey } = await generateKeyPair('ES256')
  const foreign = await app.provider.sign(claimsFor(app), { header: { typ: 'logout+jwt' }, key: privateKey })
  t.match(await send(app, foreign), refused, 'a token with the signature of another key')
  const symmetric = new SignJWT(claimsFor(app)).setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
  t.match(await send(app, await symmetric.sign(Buffer.from('a client secret of the tests'))), refused, 'HS256')
  const [, payload] = (await logoutToken(app)).split('.')
  const none = `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${payload}.`
  for (const text of [none, '', 'x', 'a.b.c', 'x'.repeat(20_000)]) {
    t.match(await send(app, text), { status: 400 }, text.slice(0, 40))
  }
  t.equal(await statusOf(app, signedIn), 200, 'nobody was signed out')
  t.equal((await send(app, await logoutToken(app))).status, 200)
  t.equal(await statusOf(app, signedIn), 401, 'the correct one signs out')
})

void t.test('a session that did not begin at the provider ends without an address', async (t) => {
  const app = await startOidcApp(t)
  const { token } = await app.registerAdmin()
  const answer = await app.ask('POST', '/api/v1/auth/oidc/logout', { token })
  t.strictSame(answer.json, { message: 'Logged out', address: null })
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token })).status, 401)
})

void t.test(
  'a sign-out of the web page, with its cookie only, ends the session and tells where that of the provider ends',
  async (t) => {
    const app = await startOidcApp(t)
    const { token: adminToken } = await app.registerAdmin()
    const page = { 'x-phlix-web': '1', origin: PUBLIC_URL }
    const call = (name: string, body: unknown, cookie = '', token?: string) =>
      app.ask('POST', `/api/v1/auth/web/${name}`, {
        body,
        headers: { ...page, cookie },
        ...(token === undefined ? {} : { token }),
      })
    const adopt = async (refreshToken: unknown) => {
      const adopted = await call('adopt', { refresh_token: refreshToken })
      return { adopted, cookie: adopted.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    }
    const { adopted, cookie } = await adopt(pick((await app.signInOnce()).json, 'refresh_token'))
    const answer = await call('logout', {}, cookie)
    t.equal(answer.status, 200)
    t.match(pick(answer.json, 'address'), new RegExp(`^${app.provider.issuer}/session/end\\?.*id_token_hint=`))
    t.equal(await statusOf(app, adopted), 401)
    t.match((await call('logout', {}, cookie)).json, { address: /id_token_hint=/ }, 'the reply may have been lost')

    t.match((await call('logout', {}, '', adminToken)).json, { address: null }, 'a session that began here')
    const { adopted: later, cookie: laterCookie } = await adopt(pick((await app.signInOnce()).json, 'refresh_token'))
    app.provider.state.isDown = true
    t.equal((await call('logout', {}, laterCookie)).status, 200)
    t.equal(await statusOf(app, later), 401, 'also while the provider does not answer')
  },
)

void t.test('a session ends here also while the provider does not answer', async (t) => {
  const app = await startOidcApp(t)
  await app.registerAdmin()
  const signedIn = await app.signInOnce()
  app.provider.state.isDown = true
  const token = String(pick(signedIn.json, 'access_token'))
  t.equal((await app.ask('POST', '/api/v1/auth/oidc/logout', { token })).status, 200)
  t.equal(await statusOf(app, signedIn), 401)
})
