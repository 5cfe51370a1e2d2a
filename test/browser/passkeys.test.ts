import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createRoutes } from '../../src/daemon/routes/index.ts'
import type { RoutePlugin } from '../../src/daemon/http/app-types.ts'
import { pick, startApp } from '../support/app.ts'
import { startBrowser } from '../support/browser.ts'

const { openPage } = await startBrowser(t)

/** An empty page of the daemon's origin: the product has no passkey page yet, and other origins are not allowed. */
const testPage: RoutePlugin = (app) =>
  void app.route({
    method: 'GET',
    url: '/passkeys-test',
    config: { access: 'public', reveals: 'none' },
    handler: async (_request, reply) =>
      reply.type('text/html').send('<!doctype html><link rel="icon" href="data:,"><title>passkeys</title>'),
  })

/** Runs in the page: the documented client flow with nothing but `atob` and `btoa`. Self-contained. */
const CLIENT = `
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const textOf = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  const post = async (path, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
    const reply = await fetch('/api/v1/auth/webauthn' + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: await reply.json() }
  }
  const withBytes = (credential) => ({ ...credential, id: bytesOf(credential.id) })
  window.register = async (token, own) => {
    const { body: options } = await post('/register/options', {}, token)
    const publicKey = {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(withBytes),
      ...own,
    }
    const { response } = await navigator.credentials.create({ publicKey })
    const credential = {
      attestationObject: textOf(response.attestationObject),
      clientDataJSON: textOf(response.clientDataJSON),
      transports: response.getTransports(),
    }
    return post('/register/verify', { credential, challenge: options.challenge }, token)
  }
  window.logIn = async (username) => {
    const { body: options } = await post('/login/options', { username })
    const publicKey = {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: options.allowCredentials.map(withBytes),
    }
    const { rawId, response } = await navigator.credentials.get({ publicKey })
    const credential = {
      id: textOf(rawId),
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
    }
    return post('/login/verify', { username, credential, challenge: options.challenge })
  }`

type Reply = { status: number; body: Record<string, unknown> }

/** The daemon, a page of its origin on localhost, and a virtual authenticator that always verifies the user. */
async function setUp(t: Test) {
  const app = await startApp(t, { routes: [...createRoutes(), ['', testPage]] })
  const origin = app.baseUrl.replace('127.0.0.1', 'localhost')
  const { page, complaints } = await openPage(t, `${origin}/passkeys-test`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.evaluate(`{${CLIENT}}`)
  return { ...app, page, complaints }
}

const call = (page: Page, name: string, ...words: unknown[]): Promise<Reply> =>
  page.evaluate<Reply>(`window.${name}(${words.map((word) => JSON.stringify(word)).join(', ')})`)

void t.test('Chromium registers a passkey from the options as they are, and logs in with it', async (t) => {
  const { page, complaints, ask, registerUser } = await setUp(t)
  const { token, account } = await registerUser()
  const registered = await call(page, 'register', token)
  t.match(registered, { status: 200, body: { credential_id: String, message: 'Passkey registered' } })
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await call(page, 'logIn', 'user')
    t.match({ status, body }, { status: 200, body: { token_type: 'Bearer', user: { id: account.id } } })
    const me = await ask('GET', '/api/v1/auth/me', { token: String(body['access_token']) })
    t.equal(pick(me.json, 'user', 'username'), 'user')
  }
  const { json } = await ask('GET', '/api/v1/me/webauthn/credentials', { token })
  t.match(json, { credentials: [{ credential_id: registered.body['credential_id'], device_type: 'platform' }] })
  t.strictSame(complaints, [])
})

void t.test('the browser itself refuses to register a device twice', async (t) => {
  const { page, registerUser } = await setUp(t)
  const { token } = await registerUser()
  t.equal((await call(page, 'register', token)).status, 200)
  await t.rejects(call(page, 'register', token), /InvalidStateError/)
})

void t.test('a client that brings options of its own registers too', async (t) => {
  const { page, registerUser } = await setUp(t)
  const { token } = await registerUser()
  const own = {
    rp: { name: 'Phlix' },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    authenticatorSelection: { userVerification: 'preferred' },
    attestation: 'direct',
  }
  t.equal((await call(page, 'register', token, own)).status, 200)
  t.equal((await call(page, 'logIn', 'user')).status, 200)
})
