import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { loadSigningSecret } from '../../../../src/core/platform/keys/index.ts'

const GOOD = 'kT5v0Qm2xY8sL1pZ7rB4nC6wD9fG3hJ0aE-uIoPq'

/** The initial configuration: only the data directory and these variables. */
const secretOf = (dataDirectory: string, environment: Record<string, string>): Promise<Buffer> =>
  loadSigningSecret({ config: loadConfig({ dataDirectory, environment }) })

void t.test('JWT_SECRET is used unchanged', async (t) => {
  const directory = t.testdir()
  t.equal((await secretOf(directory, { JWT_SECRET: GOOD, NODE_ENV: 'production' })).toString(), GOOD)
  t.equal((await secretOf(directory, { JWT_SECRET: 'short' })).toString(), 'short', 'any, outside production')
  t.strictSame(readdirSync(directory), [], 'no key file is made')
})

const REFUSED: [why: string, secret: string | undefined][] = [
  ['none', undefined],
  ['empty', ''],
  ['31 bytes', 'x1y2z3a4b5c6d7e8f9g0h1i2j3k4l5m'],
  ['a word', 'secret'],
  ['the sample of a well-known site', 'a-string-secret-at-least-256-bits-long'],
  ['another sample', 'your-super-secret-jwt-token-with-at-least-32-characters-long'],
  ['an order to change it', 'please-change-me-before-you-go-to-production'],
  ['one letter many times', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
]

void t.test('production refuses a missing, short or placeholder secret, and reports the rule', async (t) => {
  for (const [why, secret] of REFUSED) {
    const environment = { NODE_ENV: 'production', ...(secret === undefined ? {} : { JWT_SECRET: secret }) }
    const refused = secretOf(t.testdir(), environment)
    await t.rejects(refused, { code: 'insecure_jwt_secret', kind: 'misconfigured', message: /32 random bytes/ }, why)
  }
})

void t.test('without JWT_SECRET a secret is created once, readable only by its owner', async (t) => {
  const directory = t.testdir()
  const first = await secretOf(directory, {})
  const path = join(directory, 'keys/jwt-secret')
  t.ok(first.length >= 32, `${first.length} bytes`)
  t.equal(readFileSync(path, 'utf8').trim(), first.toString())
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(statSync(join(directory, 'keys')).mode & 0o777, 0o700)
  t.strictSame(await secretOf(directory, {}), first, 'the second start reads it')
  t.notSame(await secretOf(t.testdir(), {}), first, 'another installation has another')
})

void t.test('concurrent first starts agree on one secret', async (t) => {
  const directory = t.testdir()
  const secrets = await Promise.all(Array.from({ length: 20 }, () => secretOf(directory, {})))
  t.equal(new Set(secrets.map(String)).size, 1)
  t.strictSame(readdirSync(join(directory, 'keys')), ['jwt-secret'], 'no draft is left')
})

void t.test('the mode of a key file that was readable by others is restricted again', async (t) => {
  const directory = t.testdir()
  const secret = await secretOf(directory, {})
  const path = join(directory, 'keys/jwt-secret')
  chmodSync(path, 0o644)
  t.strictSame(await secretOf(directory, {}), secret)
  t.equal(statSync(path).mode & 0o777, 0o600)
})

void t.test('a damaged key file is an error, never silently replaced', async (t) => {
  const directory = t.testdir()
  mkdirSync(join(directory, 'keys'))
  writeFileSync(join(directory, 'keys/jwt-secret'), '\n')
  await t.rejects(secretOf(directory, {}), { code: 'key_file_damaged' })
  t.equal(readFileSync(join(directory, 'keys/jwt-secret'), 'utf8'), '\n')
})
