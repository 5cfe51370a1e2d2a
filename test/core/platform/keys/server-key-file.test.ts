import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createServerKey, readServerKey, rotateServerKey } from '../../../../src/core/platform/keys/index.ts'
import { movableClock } from '../../../support/records.ts'

/** The location of the keys: a data directory, or the path that PHLIX_KEY_FILE names. */
function place(t: Test, keyFile?: string) {
  const directory = t.testdir({})
  const path = keyFile === undefined ? join(directory, 'keys', 'server-key') : join(directory, keyFile)
  const environment = keyFile === undefined ? {} : { PHLIX_KEY_FILE: path }
  const config = loadConfig({ dataDirectory: directory, environment })
  return { config, path, clock: movableClock('2026-03-01T12:00:00.000Z') }
}

const UNUSABLE = { code: 'server_key_unusable', kind: 'io' }

void t.test('the first start creates a key readable only by its owner, later starts keep it', async (t) => {
  const { config, clock, path } = place(t)
  t.equal(await createServerKey({ config, clock }), true)
  const key = await readServerKey({ config })
  t.equal(key.kid, '2026-03-01T12:00:00.000Z')
  t.equal(statSync(path).mode & 0o777, 0o600)
  clock.advance(60)
  t.equal(await createServerKey({ config, clock }), false)
  t.strictSame(await readServerKey({ config }), key)
})

void t.test('a missing key at a configured path is an error and is not replaced', async (t) => {
  const { config, clock, path } = place(t, 'own-key')
  t.equal(await createServerKey({ config, clock }), false)
  await t.rejects(readServerKey({ config }), { ...UNUSABLE, message: `${path} cannot be read (ENOENT)` })
})

void t.test('a rotation keeps the old key beside the new one', async (t) => {
  for (const keyFile of [undefined, 'own-key']) {
    const { config, clock, path } = place(t, keyFile)
    t.equal((await rotateServerKey({ config, clock })).keptAs, null, 'the first has no old one')
    const before = readFileSync(path)
    // The clock does not advance; the names must differ nevertheless.
    const { key, keptAs } = await rotateServerKey({ config, clock })
    t.equal(key.kid, '2026-03-01T12:00:00.001Z')
    t.equal(keptAs, `${path}.2026-03-01T12:00:00.000Z.old`)
    t.strictSame(readFileSync(String(keptAs)), before)
    t.equal(statSync(String(keptAs)).mode & 0o777, 0o600)
    t.equal(statSync(path).mode & 0o777, 0o600)
    t.strictSame(await readServerKey({ config }), key)
    const names = readdirSync(join(path, '..')).filter((name) => name.startsWith('.') || name.endsWith('.next'))
    t.strictSame(names, [], 'no draft is left')
  }
})

void t.test('two rotations at the same moment lose no key', async (t) => {
  const { config, clock, path } = place(t)
  const first = (await rotateServerKey({ config, clock })).key
  clock.advance(1)
  const [one, two] = await Promise.all([rotateServerKey({ config, clock }), rotateServerKey({ config, clock })])
  const kept = readdirSync(join(path, '..')).map((name) => readFileSync(join(path, '..', name), 'utf8'))
  for (const { kid } of [first, one.key, two.key])
    t.ok(
      kept.some((text) => text.includes(`kid: ${kid}\n`)),
      kid,
    )
})

void t.test('an interrupted rotation is completed by the next', async (t) => {
  const { config, clock, path } = place(t)
  await rotateServerKey({ config, clock })
  // The state of a rotation that was interrupted before its rename.
  writeFileSync(`${path}.2026-03-01T12:00:00.000Z.old`, readFileSync(path), { mode: 0o600 })
  clock.advance(60)
  t.equal((await rotateServerKey({ config, clock })).key.kid, '2026-03-01T12:01:00.000Z')
})

void t.test('a key that cannot be kept under its name is not replaced', async (t) => {
  const { config, clock, path } = place(t)
  await rotateServerKey({ config, clock })
  const before = readFileSync(path, 'utf8')
  writeFileSync(`${path}.2026-03-01T12:00:00.000Z.old`, 'another')
  await t.rejects(rotateServerKey({ config, clock }), UNUSABLE, 'the name is taken')
  t.equal(readFileSync(path, 'utf8'), before)
  writeFileSync(path, 'no key')
  await t.rejects(rotateServerKey({ config, clock }), UNUSABLE, 'it is no key')
  t.equal(readFileSync(path, 'utf8'), 'no key')
})

void t.test('a link is followed, and its target rotated', async (t) => {
  const { config, clock, path } = place(t, 'link')
  mkdirSync(join(path, '..', 'real'))
  symlinkSync(join(path, '..', 'real', 'key'), path)
  const real = { config: loadConfig({ environment: { PHLIX_KEY_FILE: join(path, '..', 'real', 'key') } }), clock }
  await rotateServerKey(real)
  const { keptAs } = await rotateServerKey({ config, clock })
  t.match(keptAs, /real\/key\.[^/]*\.old$/)
  t.strictSame(await readServerKey({ config }), await readServerKey(real))
})

void t.test(
  'a file that is not small or not regular is refused without waiting, and without its bytes in the message',
  async (t) => {
    const { config, path } = place(t, 'own-key')
    mkdirSync(path)
    await t.rejects(readServerKey({ config }), { ...UNUSABLE, message: /\(EISDIR\)$/ }, 'a folder')
    const pipe = place(t, 'pipe')
    execFileSync('mkfifo', [pipe.path])
    await t.rejects(readServerKey({ config: pipe.config }), UNUSABLE, 'a pipe')
    const huge = place(t, 'huge')
    writeFileSync(huge.path, 'S3CRET-canary')
    truncateSync(huge.path, 1e12)
    await t.rejects(readServerKey({ config: huge.config }), { ...UNUSABLE, message: /too large/ }, 'a huge file')
    const garbage = place(t, 'garbage')
    writeFileSync(garbage.path, 'S3CRET-canary')
    const message = `${garbage.path} holds no Ed25519 private key`
    await t.rejects(readServerKey({ config: garbage.config }), { ...UNUSABLE, message })
  },
)
