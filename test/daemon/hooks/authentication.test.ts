import { createHmac, createPublicKey } from 'node:crypto'
import { statSync } from 'node:fs'
import http from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createServerKey } from '../../../src/core/platform/keys/index.ts'
import { pick, startApp, type TestApp } from '../../support/app.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type Forgery = { header?: object; secret?: Buffer | string; hash?: string }

/** A compact token with any header and secret, signed with HMAC. */
function forge(claims: object, { header = {}, secret = '', hash = 'sha256' }: Forgery): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(claims)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

async function setUp(t: Test) {
  const server = await startApp(t)
  const { account, token } = await server.registerUser()
  const { clock, jwtSecret: secret } = server.services
  const { sid } = server.tokens.verifyAccess(token)
  const claims = (): Record<string, unknown> => {
    const now = clock.unixSeconds()
    return { iss: 'phlix', sub: account.id, iat: now, exp: now + 60, jti: 'b'.repeat(32), type: 'access', sid }
  }
  return { server, account, token, secret, claims }
}

async function isRefused(t: Test, { ask }: TestApp, token: string, claim: string): Promise<void> {
  const answer = await ask('GET', '/api/v1/auth/me', { token })
  t.equal(answer.status, 401, claim)
  t.strictSame(answer.json, { error: 'Unauthorized', code: 'auth.required' })
}

void t.test('a token with all claims and the right signature is accepted', async (t) => {
  const { server, secret, claims } = await setUp(t)
  t.equal((await server.ask('GET', '/api/v1/auth/me', { token: forge(claims(), { secret }) })).status, 200)
})

void t.test('no other algorithm is accepted (JWT-01, JWT-02)', async (t) => {
  const { server, secret, claims } = await setUp(t)
  for (const alg of ['none', 'None', 'nOnE']) {
    await isRefused(t, server, `${encode({ alg, typ: 'JWT' })}.${encode(claims())}.`, `${alg} without signature`)
    await isRefused(t, server, forge(claims(), { header: { alg }, secret }), `${alg} with a signature`)
  }
  await isRefused(t, server, forge(claims(), { header: { alg: 'HS384' }, secret, hash: 'sha384' }), 'HS384')
  await isRefused(t, server, forge(claims(), { header: { alg: 'HS512' }, secret, hash: 'sha512' }), 'HS512')
  for (const alg of ['RS256', 'ES256', 'EdDSA', 'HS256 ', 'hs256', null, 5]) {
    await isRefused(t, server, forge(claims(), { header: { alg }, secret }), `header ${alg}`)
  }
})

void t.test('no other secret is accepted (JWT-03)', async (t) => {
  const { server, claims } = await setUp(t)
  await createServerKey(server.services)
  const { json } = await server.ask('GET', '/.well-known/jwks.json')
  const x = String(pick(json, 'keys', 0, 'x'))
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  for (const secret of ['', 'secret', x, Buffer.from(x, 'base64url'), pem]) {
    await isRefused(t, server, forge(claims(), { secret }), 'a foreign secret')
  }
})

/** A server that records connections. */
async function listener(t: Test) {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count }
}

void t.test('headers that point at keys are not followed (JWT-04)', async (t) => {
  const { server, secret, claims } = await setUp(t)
  const { address, connections } = await listener(t)
  const keyFile = join(t.testdir({ key: 'AAAA' }), 'key')
  const openedAt = statSync(keyFile, { bigint: true }).atimeNs
  for (const header of [
    { kid: '../../dev/null' },
    { kid: keyFile },
    { kid: "' union select" },
    { kid: 'k'.repeat(8000) },
    { jku: `${address}/keys`, x5u: `${address}/chain` },
    { jku: `file://${keyFile}`, x5u: `file://${keyFile}`, x5c: [keyFile] },
    { jwk: { kty: 'oct', k: 'AAAA' } },
  ]) {
    const claim = JSON.stringify(header).slice(0, 80)
    for (const forged of ['', 'AAAA', Buffer.alloc(3)]) {
      await isRefused(t, server, forge(claims(), { header, secret: forged }), claim)
    }
    const signed = await server.ask('GET', '/api/v1/auth/me', { token: forge(claims(), { header, secret }) })
    t.equal(signed.status, 200, 'with our own signature they mean nothing')
  }
  t.equal(connections(), 0, 'no host was queried for a key')
  t.equal(statSync(keyFile, { bigint: true }).atimeNs, openedAt, 'no file was read')
  // 10 KB as base64url still fit into the headers; larger ones are refused because of the header size.
  const huge = { kid: 'k'.repeat(10_240) }
  await isRefused(t, server, forge(claims(), { header: huge, secret: '' }), '10 KB of kid')
  const tooMuch = forge(claims(), { header: { kid: 'k'.repeat(20_000) }, secret: '' })
  t.equal((await server.ask('GET', '/api/v1/auth/me', { token: tooMuch })).status, 431, 'more than headers may be')
  await isRefused(t, server, forge(claims(), { header: { crit: ['x'], x: 1 }, secret }), 'crit')
})

void t.test('missing and wrong claims are refused (JWT-05)', async (t) => {
  const { server, secret, claims } = await setUp(t)
  const now = server.services.clock.unixSeconds()
  for (const changes of [
    { exp: undefined },
    { exp: String(now + 60) },
    { exp: now - 1 },
    { exp: -1 },
    { iat: now + 3600, exp: now + 7200 },
    { nbf: now + 3600 },
    { jti: undefined },
    { iss: 'other' },
    { type: undefined },
  ]) {
    await isRefused(t, server, forge({ ...claims(), ...changes }, { secret }), JSON.stringify(changes))
  }
  const infinite = `${encode({ alg: 'HS256' })}.${Buffer.from(JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e400')).toString('base64url')}`
  const signature = createHmac('sha256', secret).update(infinite).digest('base64url')
  await isRefused(t, server, `${infinite}.${signature}`, 'exp 1e400')
})

void t.test('each token is good for its own purpose only (JWT-06)', async (t) => {
  const { server, token, claims } = await setUp(t)
  const { ask, services } = server
  const registration = { email: 'new@example.test', username: 'newcomer', password: 'correct horse' }
  const { refresh_token: refresh } = (await ask('POST', '/api/v1/auth/register', { body: registration }))
    .json as Record<string, string>
  await isRefused(t, server, String(refresh), 'a refresh token on a user route')
  const refreshed = await ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })
  t.equal(refreshed.status, 401, 'an access token on refresh')
  const { sig } = services.signer.sign('/media/x/stream')
  await isRefused(t, server, sig, 'the signature of an address')
  await isRefused(t, server, `${encode({ alg: 'HS256' })}.${encode(claims())}.${sig}`, 'the same as a signature')
})

void t.test('the subject must be an account, and its permissions come from the database (JWT-07)', async (t) => {
  const { server, secret, claims } = await setUp(t)
  for (const sub of ['0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', ['x'], {}, 1, "' or 1=1", '']) {
    await isRefused(t, server, forge({ ...claims(), sub }, { secret }), JSON.stringify(sub))
  }
  const boasting = forge({ ...claims(), is_admin: true }, { secret })
  const listing = `/api/v1/libraries/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/scan-status`
  t.equal((await server.ask('GET', listing, { token: boasting })).status, 403)
})

void t.test('a token has one spelling (JWT-08)', async (t) => {
  const { server, token } = await setUp(t)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const other = encode({ ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), exp: 4_000_000_000 })
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const sameBits = last[last.indexOf(signature.at(-1) ?? '') ^ 1] ?? ''
  await isRefused(t, server, `${header}.${other}.${signature}`, 'a changed payload')
  await isRefused(t, server, `${token}=`, 'padding')
  await isRefused(t, server, `${header}.${payload}.${signature.slice(0, -1)}${sameBits}`, 'other unused bits')
  await isRefused(t, server, `${token}.`, 'three dots')
  await isRefused(t, server, `${header}.${payload}`, 'one dot')
  await isRefused(t, server, `${header}.${payload}.`, 'no signature')
  await isRefused(t, server, `${header}.${payload}.${signature}.${signature}`, 'three dots and a part')
  await isRefused(t, server, `${header}..${payload}.${signature}`, 'an empty part')
  await isRefused(t, server, `${header}.${payload.slice(0, 8)}${'A'.repeat(12_000)}.${signature}`, '12 KB')
  t.equal((await server.ask('GET', '/api/v1/auth/me', { token: 'A'.repeat(65_536) })).status, 431, '64 KB')
  const refreshToken = `${header}.${'A'.repeat(65_536)}.${signature}`
  const inBody = await server.ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } })
  t.strictSame([inBody.status, inBody.json], [401, { error: 'Unauthorized', code: 'auth.required' }], '64 KB in a body')
})

/** Status of a request with raw header lines, which `fetch` would normalise. */
function statusWith(baseUrl: string, headers: string[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${baseUrl}/api/v1/auth/me`, { headers, agent: false }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    request.on('error', reject)
  })
}

void t.test('the header has one form; its scheme is read without regard to case (JWT-09)', async (t) => {
  const { server, token } = await setUp(t)
  const { baseUrl, ask } = server
  const line = (value: string): string[] => ['host', 'x', 'authorization', value]
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    t.equal(await statusWith(baseUrl, line(`${scheme} ${token}`)), 200, scheme)
  }
  for (const value of [
    `Bearer  ${token}`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Basic ${token}`,
    token,
    'Bearer',
    `Bearer,${token}`,
  ]) {
    t.equal(await statusWith(baseUrl, line(value)), 401, value.slice(0, 9))
  }
  const twice = ['host', 'x', 'authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`]
  t.equal(await statusWith(baseUrl, twice), 401, 'two headers')
  for (const name of ['access_token', 'token', 'api_key']) {
    t.equal((await ask('GET', `/api/v1/auth/me?${name}=${token}`)).status, 401, `a token in the query: ${name}`)
  }
  t.equal((await ask('GET', '/api/v1/auth/me', { headers: { cookie: `phlix_session=${token}` } })).status, 401)
  t.equal(await statusWith(baseUrl, line(`Bearer ${'a'.repeat(64_000)}`)), 431, 'larger than headers may be')
})
