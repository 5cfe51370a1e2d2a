import { request } from 'node:http'
import { sql } from 'slonik'
import { WebAuthnEmulator, type PublicKeyCredentialCreationOptionsJSON } from 'nid-webauthn-emulator'
import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'
import { createAuthenticator } from '../../../support/authenticator.ts'
import {
  CREDENTIALS,
  LOGIN_FINISH,
  LOGIN_START,
  newAuthenticator,
  PUBLIC_URL,
  REGISTER_FINISH,
  REGISTER_START,
  startPasskeyApp,
} from '../../../support/passkeys.ts'

const PADDED_32_BYTES = /^[A-Za-z0-9+/]{43}=$/
/** A request with a `Host` header that fetch does not allow. */
function postAs(
  url: string,
  { host, token, body }: { host: string; token: string; body: object },
): Promise<{ status: number | undefined; text: string }> {
  const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => (text += part))
      reply.once('end', () => resolve({ status: reply.statusCode, text }))
    })
    outgoing.once('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

const toUrlAlphabet = (text: unknown): string => Buffer.from(String(text), 'base64').toString('base64url')

void t.test('registration options have exactly the documented keys, binary values in standard base64', async (t) => {
  const { ask, user } = await startPasskeyApp(t)
  const answer = await ask('POST', REGISTER_START, { token: user.token, body: {} })
  t.equal(answer.status, 200)
  t.match(pick(answer.json, 'challenge'), PADDED_32_BYTES)
  const { challenge: _, ...rest } = answer.json as { challenge: string }
  t.strictSame(rest, {
    rp: { id: 'good.example', name: 'Phlix' },
    user: {
      id: Buffer.from(user.account.id.replaceAll('-', ''), 'hex').toString('base64'),
      name: 'user',
      displayName: 'user',
    },
    pubKeyCredParams: [
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { authenticatorAttachment: null, residentKey: false, userVerification: 'preferred' },
    attestation: 'none',
  })
})

void t.test('a passkey of every offered algorithm registers, is listed and logs in', async (t) => {
  const { ask, clock, user, register, logIn } = await startPasskeyApp(t)
  for (const algorithm of ['Ed25519', 'ES256', 'RS256'] as const) {
    const authenticator = newAuthenticator({ algorithm })
    const registered = await register(user, authenticator)
    t.equal(registered.status, 200, algorithm)
    const id = authenticator.credentialId.toString('base64')
    t.strictSame(registered.json, { credential_id: id, message: 'Passkey registered' })
    const { json } = await ask('GET', CREDENTIALS, { token: user.token })
    const row = (pick(json, 'credentials') as { credential_id: string }[]).find((row) => row.credential_id === id)
    t.strictSame(row, {
      credential_id: id,
      user_id: user.account.id,
      type: 'public-key',
      device_type: 'platform',
      aaguid: 'aa'.repeat(16),
      registered_at: clock.unixSeconds(),
    })
    const options = await ask('POST', LOGIN_START, { body: { username: 'user' } })
    t.strictSame(Object.keys(options.json as object), [
      'challenge',
      'rpId',
      'allowCredentials',
      'timeout',
      'userVerification',
    ])
    t.match(options.json, { rpId: 'good.example', timeout: 300_000, userVerification: 'preferred' })
    t.has(pick(options.json, 'allowCredentials'), [{ type: 'public-key', transports: ['internal', 'hybrid'] }])
    t.equal((await logIn('user', authenticator)).status, 200, algorithm)
    clock.advance(1)
  }
})

void t.test('a login answers what a password login answers, and counts as one', async (t) => {
  const { ask, clock, user, register, loginChallenge } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  clock.advance(100)
  const challenge = await loginChallenge('USER@example.test')
  const answer = await ask('POST', LOGIN_FINISH, {
    body: { username: 'User@Example.test', credential: authenticator.get(challenge), challenge },
    headers: { 'x-device-id': 'my-phone' },
  })
  t.equal(answer.status, 200)
  t.match(answer.json, { token_type: 'Bearer', expires_in: 3600, user: { id: user.account.id, username: 'user' } })
  t.strictSame(Object.keys(pick(answer.json, 'user') as object), [
    'id',
    'email',
    'username',
    'is_admin',
    'display_name',
    'avatar_url',
    'status',
  ])
  const me = await ask('GET', '/api/v1/auth/me', { token: String(pick(answer.json, 'access_token')) })
  t.equal(pick(me.json, 'user', 'last_login'), clock.now().toISOString())
  const body = { refresh_token: pick(answer.json, 'refresh_token') }
  t.equal((await ask('POST', '/api/v1/auth/refresh', { body })).status, 200)
})

void t.test('an independent authenticator agrees, and its whole credential objects are read', async (t) => {
  const { ask, user } = await startPasskeyApp(t)
  const browser = new WebAuthnEmulator()
  const { json } = await ask('POST', REGISTER_START, { token: user.token, body: {} })
  const options = json as PublicKeyCredentialCreationOptionsJSON
  const challenge = toUrlAlphabet(options.challenge)
  const credential = browser.createJSON(PUBLIC_URL, {
    ...options,
    challenge,
    user: { ...options.user, id: toUrlAlphabet(options.user.id) },
    authenticatorSelection: {},
  })
  t.ok('response' in credential && !('attestationObject' in credential), 'the fields stand below response')
  const registered = await ask('POST', REGISTER_FINISH, { token: user.token, body: { credential, challenge } })
  t.equal(registered.status, 200, registered.text)
  t.equal(toUrlAlphabet(pick(registered.json, 'credential_id')), credential.id)

  for (let time = 0; time < 2; time += 1) {
    const { json } = await ask('POST', LOGIN_START, { body: { username: 'user' } })
    const challenge = toUrlAlphabet(pick(json, 'challenge'))
    const assertion = browser.getJSON(PUBLIC_URL, {
      challenge,
      rpId: String(pick(json, 'rpId')),
      allowCredentials: [{ type: 'public-key', id: toUrlAlphabet(pick(json, 'allowCredentials', 0, 'id')) }],
    })
    const body = { username: 'user', credential: assertion, challenge: pick(json, 'challenge') }
    t.equal((await ask('POST', LOGIN_FINISH, { body })).status, 200)
  }
})

void t.test('over the loopback interface no public address is needed; over any other it is', async (t) => {
  const { baseUrl, ask, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const { host, hostname } = new URL(baseUrl)
  const authenticator = createAuthenticator({ rpId: hostname, origin: `http://${host}` })
  const options = await ask('POST', REGISTER_START, { token, body: {} })
  t.equal(pick(options.json, 'rp', 'id'), '127.0.0.1')
  const challenge = String(pick(options.json, 'challenge'))
  const body = { credential: authenticator.create(challenge), challenge }
  t.equal((await ask('POST', REGISTER_FINISH, { token, body })).status, 200)

  for (const url of [REGISTER_START, REGISTER_FINISH, LOGIN_START, LOGIN_FINISH]) {
    for (const host of ['media.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1:8096']) {
      const answer = await postAs(`${baseUrl}${url}`, { host, token, body })
      t.match(answer, { status: 400, text: '{"error":"Passkeys need server.public_url to be set"}' }, `${url} ${host}`)
    }
  }
})

void t.test('missing fields have the documented code, whatever form the body has', async (t) => {
  const { ask, user, registerChallenge, loginChallenge, register } = await startPasskeyApp(t)
  await register(user)
  const missing = { error: 'missing_required_fields', code: 'missing_required_fields' }
  const full = newAuthenticator().create(await registerChallenge(user))
  const challenge = await registerChallenge(user)
  for (const body of [
    {},
    [],
    'null',
    '5',
    { challenge },
    { credential: full },
    { credential: full, challenge: 5 },
    { credential: full, challenge: '' },
    { credential: 'x', challenge },
    { credential: [full], challenge },
    { credential: { ...full, attestationObject: undefined }, challenge },
    { credential: { ...full, clientDataJSON: { a: 1 } }, challenge },
    { credential: { response: null, transports: 5 }, challenge },
  ]) {
    const answer = await ask('POST', REGISTER_FINISH, { token: user.token, body })
    t.equal(answer.status, 400, JSON.stringify(body).slice(0, 40))
    t.strictSame(answer.json, missing)
  }
  const login = newAuthenticator().get(await loginChallenge('user'))
  for (const body of [
    {},
    { username: 'user', challenge },
    { username: 'user', credential: login },
    { credential: login, challenge },
    { username: 5, credential: login, challenge },
    { username: 'user', credential: { ...login, signature: undefined }, challenge },
    { username: 'user', credential: { ...login, authenticatorData: 1 }, challenge },
    { username: 'user', credential: { ...login, id: null }, challenge },
  ]) {
    const answer = await ask('POST', LOGIN_FINISH, { body })
    t.equal(answer.status, 400, JSON.stringify(body).slice(0, 40))
    t.strictSame(answer.json, missing)
  }
  for (const body of [{}, { username: '' }, { username: ['user'] }]) {
    t.strictSame((await ask('POST', LOGIN_START, { body })).json, missing)
  }
})

void t.test('a login begins only for an active account that has a passkey', async (t) => {
  const { ask, services, user, register } = await startPasskeyApp(t)
  const start = (username: unknown) => ask('POST', LOGIN_START, { body: { username } })
  t.match(await start('user'), { status: 400, text: '{"error":"No credentials registered for user"}' })
  for (const username of ['nobody', '%', 'x'.repeat(100_000), 'a\0b', "' or 1=1 --"]) {
    t.match(await start(username), { status: 400, text: '{"error":"User not found"}' }, username.slice(0, 20))
  }
  await register(user)
  t.equal((await start('user')).status, 200)
  await services.db.query(sql.unsafe`update users set status = 'disabled' where username = 'user'`)
  t.match(await start('user'), { status: 400, text: '{"error":"User not found"}' })
})

void t.test('an account that is disabled during a login is refused', async (t) => {
  const { ask, services, user, register, loginChallenge } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  const challenge = await loginChallenge('user')
  await services.db.query(sql.unsafe`update users set status = 'disabled' where username = 'user'`)
  const body = { username: 'user', credential: authenticator.get(challenge), challenge }
  t.match(await ask('POST', LOGIN_FINISH, { body }), { status: 401, text: '{"error":"Account is disabled"}' })
})

void t.test('errors that are not the passkeys’ own keep their code', async (t) => {
  const { ask, services, user } = await startPasskeyApp(t)
  const unauthorised = { error: 'Unauthorized', code: 'auth.required' }
  for (const [method, path] of [
    ['POST', REGISTER_START],
    ['POST', REGISTER_FINISH],
    ['GET', CREDENTIALS],
    ['DELETE', `${CREDENTIALS}/AAAA`],
  ] as const) {
    t.match(await ask(method, path), { status: 401, json: unauthorised })
  }
  const broken = await ask('POST', REGISTER_FINISH, { token: user.token, body: '{' })
  t.match(broken, { status: 400, text: '{"error":"Invalid JSON"}' })
  const large = await ask('POST', LOGIN_FINISH, { body: { username: 'x'.repeat(1_100_000) } })
  t.match(large, { status: 413, text: '{"error":"Body too large"}' })
  await services.db.query(sql.unsafe`alter table webauthn_challenges rename to elsewhere`)
  const fault = await ask('POST', REGISTER_START, { token: user.token })
  t.equal(fault.status, 500)
  t.strictSame(fault.json, { error: 'Internal Server Error', code: 'internal' })
})
