import t, { type Test } from 'tap'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices, type TestServicesInput } from '../../../support/services.ts'

const WEB = '/api/v1/auth/web'
const ADA = { email: 'ada@example.test', username: 'ada', password: 'correct horse' }
const REFUSED = { status: 401, json: { code: 'invalid_refresh_token' } }
const UNKNOWN = { status: 401, json: { code: 'auth.required' } }
const FOREIGN = { status: 403, json: { code: 'not_own_page' } }

/** The name and value of the cookie that a reply sets; undefined if it sets none. */
const cookieOf = ({ headers }: Answer): string | undefined => headers.getSetCookie()[0]?.split(';')[0]

type Asking = { cookie?: string | undefined; body?: unknown; headers?: Record<string, string>; token?: string }

/** The application with a movable clock, and the calls of its page. */
async function setUp(t: Test, input: TestServicesInput = {}) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const server = await startApp(t, { services: await testServices(t, { clock, ...input }) })
  const page = { 'x-phlix-web': '1', origin: server.baseUrl }
  const cookieName = `phlix-${new URL(server.baseUrl).port}`
  const call = (name: string, { cookie, body = {}, headers, token }: Asking = {}): Promise<Answer> =>
    server.ask('POST', `${WEB}/${name}`, {
      body,
      ...(token === undefined ? {} : { token }),
      headers: { ...page, ...(cookie === undefined ? {} : { cookie }), ...headers },
    })
  const logIn = async (): Promise<{ access: string; refresh: string }> => {
    const { json } = await server.ask('POST', '/api/v1/auth/login', { body: ADA })
    return { access: String(pick(json, 'access_token')), refresh: String(pick(json, 'refresh_token')) }
  }
  const adopt = (refresh: string, asking: Asking = {}) => call('adopt', { ...asking, body: { refresh_token: refresh } })
  const refreshInBody = (refresh: string | undefined) =>
    server.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refresh } })
  const me = async (token: unknown) => (await server.ask('GET', '/api/v1/auth/me', { token: String(token) })).status
  await server.ask('POST', '/api/v1/auth/register', { body: ADA })
  const signIn = async () => {
    const { access, refresh } = await logIn()
    const answer = await adopt(refresh)
    return { access, refresh, answer, cookie: cookieOf(answer), token: String(pick(answer.json, 'access_token')) }
  }
  return { ...server, cookieName, clock, call, logIn, adopt, refreshInBody, me, signIn }
}

const tokenIn = (cookie: string | undefined): string | undefined => cookie?.split('=')[1]

void t.test('a refresh token moves into a cookie, which only the routes of the page get', async (t) => {
  const { cookieName, signIn, refreshInBody, call, me, clock } = await setUp(t)
  const { answer, cookie, refresh, token } = await signIn()
  t.equal(answer.status, 200)
  t.strictSame(
    Object.keys(answer.json as object).toSorted(),
    ['access_token', 'expires_in', 'profile', 'token_type', 'user'],
    'no refresh token',
  )
  const [header = ''] = answer.headers.getSetCookie()
  t.equal(cookie?.split('=')[0], cookieName)
  t.match(header, /^phlix-\d+=[\w.-]+; Path=\/api\/v1\/auth\/web; Max-Age=604800; HttpOnly; SameSite=Strict$/)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(answer.headers.get('content-encoding'), null)
  t.equal(await me(token), 200)
  t.match(await refreshInBody(refresh), REFUSED, 'the token is used up at once')
  t.match(await refreshInBody(tokenIn(cookie)), REFUSED, 'that of the cookie is for the cookie')
  const renewed = await call('refresh', { cookie })
  t.match(renewed, { status: 200, json: { user: { username: 'ada' }, profile: { is_main: true } } })
  t.equal(pick(renewed.json, 'refresh_token'), undefined)
  t.not(cookieOf(renewed), cookie)
  t.equal(await me(pick(renewed.json, 'access_token')), 200)
  clock.advance(3 * 86_400)
  const later = await call('refresh', { cookie: cookieOf(renewed) })
  t.match(later.headers.getSetCookie()[0], /Max-Age=604800/, 'a week from its last use')
})

void t.test('an adoption whose reply was lost can be repeated, for ten seconds', async (t) => {
  const { signIn, adopt, call, clock } = await setUp(t)
  const { refresh, cookie } = await signIn()
  clock.advance(10)
  const again = await adopt(refresh)
  t.equal(cookieOf(again), cookie)
  clock.advance(1)
  t.match(await adopt(refresh), REFUSED)
  t.match(await call('refresh', { cookie }), REFUSED, 'the session has ended')
})

void t.test('the token of a cookie is not adopted, and not another time by a body', async (t) => {
  const { cookieName, signIn, adopt, call, logIn, refreshInBody } = await setUp(t)
  const { cookie } = await signIn()
  t.match(await adopt(tokenIn(cookie) ?? ''), REFUSED)
  t.match(await call('refresh', { cookie }), { status: 200 }, 'nothing has ended')
  const { refresh } = await logIn()
  t.match(await call('refresh', { cookie: `${cookieName}=${refresh}` }), REFUSED, 'a token that was never adopted')
  t.match(await refreshInBody(refresh), { status: 200 }, 'other clients go on')
  t.match(await adopt(refresh), REFUSED, 'it is used up')
})

void t.test('a cookie that was replaced ends the session when it comes back (WC-03)', async (t) => {
  const { signIn, call, clock, me } = await setUp(t)
  const { cookie: first } = await signIn()
  const renewed = await call('refresh', { cookie: first })
  t.equal(cookieOf(await call('refresh', { cookie: first })), cookieOf(renewed), 'two tabs at once')
  clock.advance(11)
  t.match(await call('refresh', { cookie: first }), REFUSED)
  t.match(await call('refresh', { cookie: cookieOf(renewed) }), REFUSED)
  t.equal(await me(pick(renewed.json, 'access_token')), 401)
})

void t.test('requests without the origin of the server are refused, and change nothing (WC-01)', async (t) => {
  const { signIn, call, logIn, adopt, baseUrl } = await setUp(t)
  const { cookie } = await signIn()
  const { refresh } = await logIn()
  const otherPort = baseUrl.replace(/\d+$/, '1')
  for (const [claim, headers] of [
    ['another site', { origin: 'https://evil.example' }],
    ['another port of the host', { origin: otherPort }],
    ['with TLS', { origin: baseUrl.replace('http:', 'https:').replace('127.0.0.1', 'localhost') }],
    ['a sandboxed page', { origin: 'null' }],
    ['without the header of the page', { 'x-phlix-web': '' }],
  ] as const) {
    for (const name of ['refresh', 'logout'])
      t.match(await call(name, { cookie, headers }), FOREIGN, `${name} ${claim}`)
    const adopted = await adopt(refresh, { headers })
    t.match(adopted, FOREIGN, `adopt ${claim}`)
    t.strictSame(adopted.headers.getSetCookie(), [])
  }
  const bare = await fetch(`${baseUrl}${WEB}/refresh`, {
    method: 'POST',
    headers: { 'x-phlix-web': '1', 'content-type': 'application/json', cookie: cookie ?? '' },
  })
  t.equal(bare.status, 403, 'without an origin')
  t.match(await call('refresh', { cookie }), { status: 200 })
  t.match(await adopt(refresh), { status: 200 })
})

void t.test('a form of another page is refused (WC-02)', async (t) => {
  const { signIn, call, baseUrl } = await setUp(t)
  const { cookie } = await signIn()
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
    for (const name of ['adopt', 'refresh', 'logout']) {
      const answer = await call(name, { cookie, body: 'a=1', headers: { 'content-type': type } })
      t.match(answer, { status: 415, json: { code: 'unsupported_media_type' } }, `${name} ${type}`)
      const asForm = await call(name, { cookie, body: 'a=1', headers: { 'content-type': type, 'x-phlix-web': '' } })
      t.match(asForm, FOREIGN)
    }
  }
  for (const method of ['GET', 'PUT', 'HEAD']) {
    const reply = await fetch(`${baseUrl}${WEB}/logout`, { method, headers: { cookie: cookie ?? '' } })
    t.equal(reply.status, 404, method)
  }
  t.match(await call('refresh', { cookie }), { status: 200 })
})

void t.test('other pages may not ask for the routes in advance, even if they may use the API (WC-01)', async (t) => {
  const origin = 'https://player.example.org'
  const { baseUrl, signIn, call } = await setUp(t, { flags: { 'server.cors_origins': origin } })
  const { cookie } = await signIn()
  const asked = await fetch(`${baseUrl}${WEB}/refresh`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-phlix-web',
    },
  })
  t.notMatch(asked.headers.get('access-control-allow-headers'), /x-phlix-web/i)
  t.equal(asked.headers.get('access-control-allow-credentials'), null)
  t.match(await call('refresh', { cookie, headers: { origin } }), FOREIGN)
})

void t.test('no other route reads the cookie (WC-04)', async (t) => {
  const { cookieName, signIn, ask, baseUrl } = await setUp(t)
  const { cookie = '', token } = await signIn()
  const headers = { cookie: `${cookie}; ${cookieName}=${token}`, origin: baseUrl, 'x-phlix-web': '1' }
  t.match(await ask('GET', '/api/v1/auth/me', { headers: { ...headers, cookie } }), UNKNOWN)
  t.match(await ask('POST', '/api/v1/auth/refresh', { headers: { ...headers, cookie }, body: {} }), { status: 400 })
  t.match(await ask('GET', '/api/v1/me/devices', { headers }), UNKNOWN)
})

void t.test('cookies that are doubled, foreign, oversize or malformed sign nobody in (WC-05)', async (t) => {
  const { cookieName, signIn, call } = await setUp(t)
  const { cookie, token } = await signIn()
  for (const [claim, given] of [
    ['none', undefined],
    ['two', `${cookie}; ${cookieName}=planted`],
    ['two of the same', `${cookie}; ${cookie}`],
    ['that of TLS', `__Secure-${cookie}`],
    ['an access token', `${cookieName}=${token}`],
    ['another signature', `${cookie?.slice(0, -4)}AAAA`],
    ['nonsense', `${cookieName}=a.b.c`],
    ['too long', `${cookieName}=${'a'.repeat(8000)}`],
  ] as const) {
    t.match(await call('refresh', { cookie: given }), UNKNOWN, claim)
  }
  t.match(await call('refresh', { cookie: `x=${'a'.repeat(17_000)}; ${cookie}` }), { status: 431 })
  t.match(await call('refresh', { cookie: `other=1; ${cookie}; x` }), { status: 200 }, 'beside others')
})

void t.test('bodies that are oversize or not what they should be adopt nothing (WC-05)', async (t) => {
  const { call } = await setUp(t)
  for (const value of [null, 7, '', 'x', {}, [], 'a'.repeat(4097)]) {
    const answer = await call('adopt', { body: { refresh_token: value } })
    t.ok([400, 401].includes(answer.status), `${JSON.stringify(value).slice(0, 20)} ${answer.status}`)
    t.strictSame(answer.headers.getSetCookie(), [])
  }
  t.equal((await call('adopt')).status, 400)
  t.equal((await call('adopt', { body: { refresh_token: 'a'.repeat(2 ** 20) } })).status, 413)
})

void t.test('a sign-out ends the session with its access tokens, and empties the browser', async (t) => {
  const { cookieName, signIn, call, me, refreshInBody } = await setUp(t)
  const other = await signIn()
  const { cookie, token, access, refresh } = await signIn()
  const answer = await call('logout', { cookie })
  t.match(answer, { status: 200, json: { message: /./ } })
  t.equal(answer.headers.get('clear-site-data'), '"cache", "storage"')
  t.strictSame(answer.headers.getSetCookie(), [
    `${cookieName}=; Path=/api/v1/auth/web; Max-Age=0; HttpOnly; SameSite=Strict`,
  ])
  t.strictSame([await me(token), await me(access)], [401, 401])
  t.match(await call('refresh', { cookie }), REFUSED)
  t.match(await refreshInBody(refresh), REFUSED)
  t.equal(await me(other.token), 200, 'another browser goes on')
  for (const given of [cookie, undefined, `${cookieName}=a.b.c`])
    t.match(await call('logout', { cookie: given }), { status: 200 }, 'nothing is left to end')
})

void t.test('a sign-out ends the session of the access token when the cookie is that of another server', async (t) => {
  const { cookieName, signIn, call, me } = await setUp(t)
  const { token } = await signIn()
  t.match(await call('logout', { cookie: `${cookieName}=a.b.c`, token }), { status: 200 })
  t.equal(await me(token), 401)
})

void t.test('a sign-out of one tab does not end the session that another tab has begun meanwhile', async (t) => {
  const { signIn, call, me } = await setUp(t)
  const [former, later] = [await signIn(), await signIn()]
  const answer = await call('logout', { cookie: later.cookie, token: former.token })
  t.match(answer, { status: 200, json: { message: /./ } })
  t.strictSame([await me(former.token), await me(later.token)], [401, 200])
  t.strictSame(answer.headers.getSetCookie(), [], 'the cookie of the other tab stays')
  t.equal(answer.headers.get('clear-site-data'), null)
  t.match(await call('refresh', { cookie: later.cookie }), { status: 200 })
  const own = await call('logout', { cookie: later.cookie, token: later.token })
  t.equal(own.headers.getSetCookie().length, 1)
  t.equal(await me(later.token), 401)
})

void t.test('a sign-out with an access token that is not valid ends the session of the cookie', async (t) => {
  const { signIn, call, me } = await setUp(t)
  const { cookie, token } = await signIn()
  const answer = await call('logout', { cookie, token: 'a.b.c' })
  t.equal(answer.headers.getSetCookie().length, 1)
  t.equal(await me(token), 401)
})

void t.test('a new sign-in ends the session that the cookie had', async (t) => {
  const { signIn, logIn, adopt, me } = await setUp(t)
  const former = await signIn()
  const { refresh } = await logIn()
  const adopted = await adopt(refresh, { cookie: former.cookie })
  t.match(adopted, { status: 200 })
  t.equal(await me(former.token), 401)
  t.equal(await me(pick(adopted.json, 'access_token')), 200)
  const again = await adopt(refresh, { cookie: cookieOf(adopted) })
  t.match(again, { status: 200 }, 'a repeated adoption ends nothing')
  t.equal(await me(pick(again.json, 'access_token')), 200)
})

void t.test('the session keeps its cookie in another profile, without a new refresh token', async (t) => {
  const { signIn, call, ask, me } = await setUp(t)
  const { cookie, token, answer } = await signIn()
  const accountId = String(pick(answer.json, 'user', 'id'))
  const made = await ask('POST', '/api/v1/profiles', { token, body: { name: 'Kim', is_kids: true, max_age: 6 } })
  const id = String(pick(made.json, 'profile', 'id'))
  const switched = await ask('POST', `/api/v1/profiles/${id}/switch`, { token, body: {} })
  t.match(switched, { status: 200, json: { access_token: /./, profile: { id, is_kids: true } } })
  t.equal(pick(switched.json, 'refresh_token'), undefined)
  t.equal(await me(token), 401, 'the token of the former profile')
  const renewed = await call('refresh', { cookie })
  t.match(renewed, { status: 200, json: { profile: { id }, user: { id: accountId } } })
  const out = await call('logout', { cookie: cookieOf(renewed) })
  t.equal(out.status, 200, 'a child can sign out')
})

void t.test('a cookie is of no use after the device was signed out by the list of the account', async (t) => {
  const { signIn, call, ask } = await setUp(t)
  const [first, second] = [await signIn(), await signIn()]
  t.match(await ask('DELETE', '/api/v1/me/devices', { token: second.token }), { status: 200 })
  t.match(await call('refresh', { cookie: first.cookie }), REFUSED)
  t.match(await call('refresh', { cookie: second.cookie }), { status: 200 })
})

void t.test('requests of one session do not use up the limit of the others behind a proxy', async (t) => {
  const limits = { environment: { RATE_LIMIT_REFRESH_MAX: '3', RATE_LIMIT_REFRESH_WINDOW: '60' } }
  const { cookieName, signIn, call, clock, refreshInBody } = await setUp(t, limits)
  const [first, second] = [await signIn(), await signIn()]
  const statuses = async (cookie: string | undefined) => {
    const found: number[] = []
    let current = cookie
    for (let count = 0; count < 4; count += 1) {
      const answer = await call('refresh', { cookie: current })
      found.push(answer.status)
      current = cookieOf(answer) ?? current
    }
    return found
  }
  t.strictSame(await statuses(first.cookie), [200, 200, 200, 429])
  t.strictSame(await statuses(second.cookie), [200, 200, 200, 429])
  clock.advance(61)
  for (const wanted of [401, 401, 401, 429])
    t.equal((await call('refresh', { cookie: `${cookieName}=a.b.c` })).status, wanted)
  t.equal((await refreshInBody('a.b.c')).status, 429, 'guesses are counted by address')
})

void t.test('with TLS the cookie is secure, whether or not the proxy says so', async (t) => {
  const { baseUrl, logIn, adopt, call } = await setUp(t)
  const host = new URL(baseUrl).host
  const origin = `https://${host}`
  for (const forwarded of [{}, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }]) {
    const { refresh } = await logIn()
    const answer = await adopt(refresh, { headers: { origin, ...forwarded } })
    t.match(answer.headers.getSetCookie()[0], /^__Secure-phlix-\d+=[\w.-]+; .*; Secure$/)
    const cookie = cookieOf(answer)
    t.match(await call('refresh', { cookie, headers: { origin, ...forwarded } }), { status: 200 })
    t.match(await call('refresh', { cookie }), UNKNOWN, 'not for a page without TLS')
  }
})
