import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { makeVerifier } from '../../../support/oidc-browser.ts'
import { codeOf, PUBLIC_URL, START, startOidcApp } from './oidc-app.ts'

const TOKEN = '/api/v1/auth/oidc/token'

void t.test('a person signs in at the provider and gets an account', async (t) => {
  const { signInOnce, registerAdmin, ask } = await startOidcApp(t)
  await registerAdmin()
  const first = await signInOnce()
  t.match(first, {
    status: 200,
    json: { token_type: 'Bearer', user: { username: 'ada', email: 'ada@example.test', is_admin: false } },
  })
  const me = await ask('GET', '/api/v1/auth/me', { token: String(pick(first.json, 'access_token')) })
  t.equal(pick(me.json, 'user', 'id'), pick(first.json, 'user', 'id'))
  const second = await signInOnce()
  t.equal(pick(second.json, 'user', 'id'), pick(first.json, 'user', 'id'), 'the second sign-in finds the account')
  t.match(await ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: pick(second.json, 'refresh_token') } }), {
    status: 200,
  })
})

void t.test('sign-in pages learn the name of the provider, and that there is none', async (t) => {
  const { ask } = await startOidcApp(t, { flags: { 'auth.oidc.name': 'Example login' } })
  const options = await ask('GET', '/api/v1/auth/options')
  const oidc = { name: 'Example login', start_path: START }
  t.strictSame(options.json, { password: true, oidc, needs_first_account: true })
})

void t.test('an app gets its code at its own scheme', async (t) => {
  const { ask, newBrowser, registerAdmin } = await startOidcApp(t)
  await registerAdmin()
  const browser = newBrowser()
  const { verifier, challenge } = makeVerifier()
  const started = await browser.get(`${START}?client=app&challenge=${challenge}`)
  const reply = await browser.get(await browser.walkToServer(started.headers.get('location') ?? ''))
  const code = /^phlix:\/\/sign-in\?code=([\w-]{43})$/.exec(reply.headers.get('location') ?? '')?.[1]
  t.equal((await ask('POST', TOKEN, { body: { code, verifier } })).status, 200)
})

void t.test('OIDC open redirect: a browser only goes to the provider and to the page of this server', async (t) => {
  const { newBrowser, signInAtProvider, provider } = await startOidcApp(t)
  const browser = newBrowser()
  const { challenge } = makeVerifier()
  for (const client of ['https://evil.example', '//evil.example', 'web&client=app', 'javascript:alert(1)', '']) {
    const reply = await browser.get(`${START}?client=${client}&challenge=${challenge}`)
    t.equal(reply.status, 400, client)
  }
  const more = 'redirect_uri=https://evil.example/&return=https://evil.example/&next=//evil.example'
  const started = new URL(
    (await browser.get(`${START}?client=web&challenge=${challenge}&${more}`)).headers.get('location')!,
  )
  t.equal(started.origin, provider.issuer)
  t.equal(started.searchParams.get('redirect_uri'), `${PUBLIC_URL}/api/v1/auth/oidc/callback`)
  t.notMatch(started.href, 'evil')
  const { browser: other, callback } = await signInAtProvider()
  const arrived = await other.get(`${callback}&${more}`)
  t.match(arrived.headers.get('location'), /^https:\/\/media\.example\.test\/#sign-in-code=[\w-]{43}$/)
  const unknown = await other.get(`/api/v1/auth/oidc/callback?error=x&error_description=%0d%0aSet-Cookie:a&${more}`)
  t.equal(unknown.headers.get('location'), `${PUBLIC_URL}/#sign-in-problem=oidc_request_expired`)
})

void t.test('an app or a page can only use its code with its own verifier, once and within a minute', async (t) => {
  const { ask, arrive, registerAdmin } = await startOidcApp(t)
  await registerAdmin()
  const exchange = (body: object) => ask('POST', TOKEN, { body })
  const refused = { status: 401, json: { code: 'oidc_code_invalid' } }
  const stolen = codeOf((await arrive()).arrived)
  t.match(await exchange({ code: stolen, verifier: makeVerifier().verifier }), refused, 'another verifier')
  const { arrived, verifier } = await arrive()
  const both = await Promise.all([1, 2, 3].map(() => exchange({ code: codeOf(arrived), verifier })))
  const accepted = both.filter(({ status }) => status === 200)
  t.equal(accepted.length, 1, 'OIDC replay: the one-time code')
  t.match(await exchange({ code: codeOf(arrived), verifier }), refused)
  for (const body of [
    { code: '', verifier: '' },
    { code: 'x'.repeat(43), verifier },
    { code: '\0', verifier: '\0' },
  ]) {
    t.match(await exchange(body), refused)
  }
})

void t.test('a provider that does not answer is a problem of the sign-in, not of the server', async (t) => {
  const { newBrowser, provider, ask, signInAtProvider } = await startOidcApp(t)
  provider.state.isDown = true
  const { challenge } = makeVerifier()
  const start = `${START}?client=web&challenge=${challenge}`
  const unavailable = `${PUBLIC_URL}/#sign-in-problem=oidc_unavailable`
  t.equal((await newBrowser().get(start)).headers.get('location'), unavailable)
  t.equal((await ask('GET', '/healthz')).status, 200)
  provider.state.isDown = false
  t.match((await newBrowser().get(start)).headers.get('location'), provider.issuer, 'the failure is not remembered')
  const { browser, callback } = await signInAtProvider()
  provider.state.isDown = true
  const location = (await browser.get(callback)).headers.get('location')
  t.match(location, /#sign-in-problem=oidc_(?:unavailable|invalid_reply)$/)
})

void t.test('a person who refuses at the provider comes back with a problem', async (t) => {
  const { arrive, provider } = await startOidcApp(t)
  provider.state.isDenied = true
  t.equal((await arrive()).arrived, `${PUBLIC_URL}/#sign-in-problem=oidc_refused`)
})

void t.test('a server without a provider says so, and its routes answer 404', async (t) => {
  const { ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  t.strictSame((await ask('GET', '/api/v1/auth/options')).json, {
    password: true,
    oidc: null,
    needs_first_account: false,
  })
  const { challenge, verifier } = makeVerifier()
  const code = { body: { code: 'x', verifier }, token }
  for (const [method, path, asked] of [
    ['GET', `${START}?client=web&challenge=${challenge}`, {}],
    ['GET', '/api/v1/auth/oidc/callback?state=x', {}],
    ['POST', TOKEN, code],
    ['POST', '/api/v1/auth/oidc/link', code],
    ['POST', '/api/v1/auth/oidc/logout', code],
    ['POST', '/api/v1/auth/oidc/backchannel-logout', { body: { logout_token: 'x' } }],
  ] as const) {
    t.match(await ask(method, path, asked), { status: 404, json: { code: 'oidc_not_configured' } }, path)
  }
})
