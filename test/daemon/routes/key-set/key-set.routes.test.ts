import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createServerKey, rotateServerKey } from '../../../../src/core/platform/keys/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { pick, startApp, type Answer } from '../../../support/app.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { testServices } from '../../../support/services.ts'

const ADDRESS = '/.well-known/jwks.json'

/** The application with a separate key path, and the error lines of its log. */
async function setUp(t: Test, { isConfigured = true } = {}) {
  const path = join(reachableDirectory(t), 'key')
  const services = await testServices(t, isConfigured ? { environment: { PHLIX_KEY_FILE: path } } : {})
  const errors: Record<string, unknown>[] = []
  const write = (line: string): void => void errors.push(JSON.parse(line) as Record<string, unknown>)
  const log = await createLogger(services.config, { level: 'error', destination: { write } })
  const server = await startApp(t, { services: { ...services, log } })
  return { ...server, path, errors, keys: () => server.ask('GET', ADDRESS) }
}

function isPublic(t: Test, { status, headers, text }: Answer): void {
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'application/json')
  t.equal(headers.get('cache-control'), 'public, max-age=3600')
  t.notMatch(text, /"d"/)
}

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()

void t.test('a PKCS#8 Ed25519 key is one public key, named by its thumbprint (JWT-18)', async (t) => {
  const { path, keys, errors } = await setUp(t)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(path, pemOf(privateKey))
  const answer = await keys()
  isPublic(t, answer)
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(Buffer.from(x, 'base64url')).digest().subarray(0, 8).toString('base64url')
  t.strictSame(answer.json, { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }] })
  t.strictSame(errors, [])
})

void t.test(
  'our own block is one public key, named by its time, and a rotation is seen at once (JWT-18)',
  async (t) => {
    const { keys, services, errors } = await setUp(t, { isConfigured: false })
    await createServerKey(services)
    const first = await keys()
    isPublic(t, first)
    t.match(first.json, { keys: [{ kty: 'OKP', crv: 'Ed25519', x: /^[\w-]{43}$/, kid: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ }] })
    const { key } = await rotateServerKey(services)
    const second = await keys()
    isPublic(t, second)
    t.equal(pick(second.json, 'keys', 0, 'kid'), key.kid)
    t.not(pick(second.json, 'keys', 0, 'x'), pick(first.json, 'keys', 0, 'x'))
    t.strictSame(errors, [])
  },
)

const rsa = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

for (const [claim, content] of [
  ['a missing key file', undefined],
  ['garbage', 'S3CRET-canary '.repeat(20)],
  ['an RSA key', rsa],
  ['a cut Ed25519 key', pemOf(generateKeyPairSync('ed25519').privateKey).slice(0, 70)],
] as const) {
  void t.test(`${claim} is an empty key set and one line in the log, without its bytes (JWT-18)`, async (t) => {
    const { path, keys, errors } = await setUp(t)
    if (content !== undefined) writeFileSync(path, content)
    const answers = await Promise.all(Array.from({ length: 5 }, keys))
    for (const answer of [...answers, await keys()]) {
      isPublic(t, answer)
      t.strictSame(answer.json, { keys: [] })
    }
    t.equal(errors.length, 1, 'one line for six requests')
    t.match(errors[0], { level: 'error', reason: new RegExp(`^${path}`) })
    for (const line of content?.split('\n') ?? []) if (line !== '') t.notOk(JSON.stringify(errors).includes(line))
    writeFileSync(path, pemOf(generateKeyPairSync('ed25519').privateKey))
    t.equal(((await keys()).json as { keys: object[] }).keys.length, 1, 'a repaired file is seen without a restart')
    rmSync(path)
    t.strictSame((await keys()).json, { keys: [] })
    t.equal(errors.length, 2, 'a new failure is a new line')
  })
}

void t.test('a key file that may not be read is an empty key set and one line in the log (JWT-18)', async (t) => {
  const { path, keys, errors } = await setUp(t)
  writeFileSync(path, pemOf(generateKeyPairSync('ed25519').privateKey))
  chmodSync(path, 0o000)
  await asUnprivilegedUser(async () => {
    for (const answer of [await keys(), await keys()]) {
      isPublic(t, answer)
      t.strictSame(answer.json, { keys: [] })
    }
  })
  t.equal(errors.length, 1)
  t.match(errors[0], { reason: /\(EACCES\)$/ })
  chmodSync(path, 0o600)
  t.equal(((await keys()).json as { keys: object[] }).keys.length, 1)
})

void t.test('a key that is replaced by one of the same size and time is noticed', async (t) => {
  const { path, keys } = await setUp(t)
  writeFileSync(path, pemOf(generateKeyPairSync('ed25519').privateKey))
  const { atime, mtime } = statSync(path)
  const first = await keys()
  writeFileSync(path, pemOf(generateKeyPairSync('ed25519').privateKey))
  utimesSync(path, atime, mtime)
  t.notSame((await keys()).json, first.json)
})

void t.test('the key set needs no token, and only GET has a route', async (t) => {
  const { ask, services } = await setUp(t, { isConfigured: false })
  await createServerKey(services)
  t.equal((await ask('GET', ADDRESS, { token: 'not.a.token' })).status, 200)
  t.equal((await ask('HEAD', ADDRESS)).status, 200)
  for (const method of ['POST', 'PUT', 'DELETE']) t.equal((await ask(method, ADDRESS)).status, 404, method)
})
