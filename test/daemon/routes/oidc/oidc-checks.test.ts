import { generateKeyPair, type JWTPayload } from 'jose'
import t from 'tap'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { makeVerifier } from '../../../support/oidc-browser.ts'
import { codeOf, PUBLIC_URL, START, startOidcApp } from './oidc-app.ts'

const EXPIRED = `${PUBLIC_URL}/#sign-in-problem=oidc_request_expired`
const INVALID = `${PUBLIC_URL}/#sign-in-problem=oidc_invalid_reply`
const HAS_CODE = /#sign-in-code=[\w-]{43}$/

void t.test(
  'OIDC state: an answer counts once, for the browser that started, and with the state of this server',
  async (t) => {
    const { signInAtProvider, newBrowser } = await startOidcApp(t)
    const { browser, callback } = await signInAtProvider()
    const locationOf = async (address: string, from = browser) => (await from.get(address)).headers.get('location')
    t.equal(await locationOf(callback, newBrowser()), EXPIRED, 'a browser without the cookie')
    const other = await signInAtProvider()
    t.equal(await locationOf(callback, other.browser), EXPIRED, 'a browser with the cookie of another sign-in')
    const forger = newBrowser()
    for (const name of browser.cookies.keys()) forger.cookies.set(name, 'x'.repeat(43))
    t.equal(await locationOf(callback, forger), EXPIRED, 'a browser with another secret')
    const state = new URL(callback).searchParams.get('state') ?? ''
    const otherState = new URL(other.callback).searchParams.get('state') ?? ''
    for (const wrong of ['', 'x', `${state}x`, otherState, `${state}&state=${state}`]) {
      const changed = callback.replace(state, wrong)
      t.match(await locationOf(changed), /#sign-in-problem=/, wrong)
    }
  },
)

void t.test('OIDC state: the answer to a sign-in that was completed before is refused', async (t) => {
  const { signInAtProvider } = await startOidcApp(t)
  const { browser, callback } = await signInAtProvider()
  const cookies = new Map(browser.cookies)
  t.match((await browser.get(callback)).headers.get('location'), HAS_CODE)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  t.equal((await browser.get(callback)).headers.get('location'), EXPIRED, 'OIDC replay: the answer of the provider')
})

void t.test('OIDC expired: an answer after ten minutes, and a one-time code after one, are refused', async (t) => {
  const clock = jumpingClock(new Date().toISOString())
  const { signInAtProvider, arrive, ask } = await startOidcApp(t, { clock })
  const { browser, callback } = await signInAtProvider()
  clock.advance(601)
  t.equal((await browser.get(callback)).headers.get('location'), EXPIRED)
  clock.advance(-601)
  const { arrived, verifier } = await arrive()
  clock.advance(61)
  const late = await ask('POST', '/api/v1/auth/oidc/token', { body: { code: codeOf(arrived), verifier } })
  t.match(late, { status: 401, json: { code: 'oidc_code_invalid' } })
})

void t.test(
  'the cookie of a sign-in is not readable for pages, not for other sites, and only for this host',
  async (t) => {
    const { newBrowser } = await startOidcApp(t)
    const reply = await newBrowser().get(`${START}?client=web&challenge=${makeVerifier().challenge}`)
    const pattern = /^__Host-phlix-sign-in-[\w-]{12}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/
    t.match(reply.headers.getSetCookie()[0], pattern)
  },
)

void t.test(
  'OIDC PKCE: a code of another sign-in is refused, and each sign-in has its own S256 challenge',
  async (t) => {
    const { signInAtProvider, newBrowser } = await startOidcApp(t)
    const [victim, attacker] = [await signInAtProvider(), await signInAtProvider()]
    const injected = new URL(attacker.callback)
    injected.searchParams.set('code', new URL(victim.callback).searchParams.get('code') ?? '')
    t.equal((await attacker.browser.get(injected.href)).headers.get('location'), INVALID)
    const challenges = new Set<string>()
    for (let count = 0; count < 3; count += 1) {
      const reply = await newBrowser().get(`${START}?client=web&challenge=${makeVerifier().challenge}`)
      const { searchParams } = new URL(reply.headers.get('location') ?? '')
      t.equal(searchParams.get('code_challenge_method'), 'S256')
      t.match(searchParams.get('code_challenge'), /^[\w-]{43}$/)
      challenges.add(searchParams.get('code_challenge') ?? '')
    }
    t.equal(challenges.size, 3)
  },
)

void t.test('OIDC issuer mix-up: an answer of another issuer, or of none, is refused', async (t) => {
  const { signInAtProvider } = await startOidcApp(t)
  for (const change of [
    (address: URL) => address.searchParams.set('iss', 'https://evil.example'),
    (address: URL) => address.searchParams.set('iss', `${address.searchParams.get('iss')}/`),
    (address: URL) => address.searchParams.delete('iss'),
    (address: URL) => address.searchParams.append('iss', 'https://evil.example'),
  ]) {
    const { browser, callback } = await signInAtProvider()
    const address = new URL(callback)
    change(address)
    t.equal((await browser.get(address.href)).headers.get('location'), INVALID, address.search)
  }
})

const seconds = (): number => Math.floor(Date.now() / 1000)

const WRONG_TOKENS: Record<string, (claims: JWTPayload) => Record<string, unknown>> = {
  'OIDC nonce: an ID token of another sign-in': () => ({ nonce: 'another' }),
  'OIDC nonce: an ID token without one': () => ({ nonce: undefined }),
  'OIDC issuer mix-up: an ID token of another issuer': () => ({ iss: 'https://evil.example' }),
  'an ID token for another client': () => ({ aud: 'another' }),
  'an ID token for several clients, of another party': ({ aud }) => ({ aud: [String(aud), 'b'], azp: 'b' }),
  'OIDC expired: an ID token': () => ({ exp: seconds() - 60, iat: seconds() - 600 }),
  'an ID token without expiry': () => ({ exp: undefined }),
  'an ID token without a subject': () => ({ sub: undefined }),
}

for (const [name, claimsOf] of Object.entries(WRONG_TOKENS)) {
  void t.test(`${name} is refused`, async (t) => {
    const { arrive, provider } = await startOidcApp(t)
    provider.state.changeIdToken = () => ({ claims: {} })
    t.match((await arrive()).arrived, HAS_CODE, 'signed again without a change, it is accepted')
    provider.state.changeIdToken = (claims) => ({ claims: claimsOf(claims) })
    t.equal((await arrive()).arrived, INVALID)
  })
}

void t.test('an ID token with the signature of another key is refused', async (t) => {
  const { arrive, provider } = await startOidcApp(t)
  const { privateKey } = await generateKeyPair('ES256')
  provider.state.changeIdToken = () => ({ key: privateKey })
  t.equal((await arrive()).arrived, INVALID)
})

void t.test('OIDC key rotation: a new key counts at once, and a withdrawn one no more', async (t) => {
  const { arrive, provider } = await startOidcApp(t)
  t.match((await arrive()).arrived, HAS_CODE)
  await provider.rotateKeys()
  t.match((await arrive()).arrived, HAS_CODE, 'the next sign-in, within a second')
  const { privateKey } = await generateKeyPair('ES256')
  provider.state.changeIdToken = () => ({ key: privateKey, header: { kid: 'withdrawn' } })
  t.equal((await arrive()).arrived, INVALID)
})

void t.test('OIDC replay: the ID token of an earlier sign-in is refused', async (t) => {
  const { arrive, provider } = await startOidcApp(t)
  let earlier: JWTPayload | undefined
  provider.state.changeIdToken = (claims) => {
    const replayed = earlier ?? claims
    earlier ??= claims
    return { claims: replayed }
  }
  t.match((await arrive()).arrived, HAS_CODE)
  t.equal((await arrive()).arrived, INVALID)
})
