import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

type Key = {
  kid: string
  file: string
  created_at: string | null
  jwk: Record<string, unknown>
  old_file?: string | null
}

/** A command line with a separate data directory, or with a configured key path. */
async function setUp(t: Test, environment: Record<string, string> = {}) {
  const data = await temporaryDataDirectory(t)
  const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
  const key = async (...words: string[]): Promise<Key> => JSON.parse((await run(...words, '--json')).stdout) as Key
  return { data, path: join(data, 'keys', 'server-key'), run, key }
}

void t.test('key:show shows the public half only, in both forms', async (t) => {
  const { run, key, path } = await setUp(t)
  t.equal((await run('key:rotate')).code, 0)
  const seed = (await readFile(path, 'utf8')).split('\n')[2] ?? ''
  t.match(seed, /^[A-Za-z0-9+/]{43}=$/)
  const shown = await run('key:show')
  const document = await run('key:show', '--json')
  const { kid, jwk, file, created_at: createdAt } = JSON.parse(document.stdout) as Key
  t.equal(file, path)
  t.equal(createdAt, kid)
  t.strictSame(jwk, { kty: 'OKP', crv: 'Ed25519', x: jwk['x'], kid, use: 'sig', alg: 'EdDSA' })
  for (const text of [kid, path, String(jwk['x'])]) t.ok(shown.stdout.includes(text), text)
  for (const { stdout, stderr } of [shown, document, await run('key:show', '-vv')]) {
    t.notOk((stdout + stderr).includes(seed.slice(0, 43)), 'not the private one')
    t.notMatch(stdout, '"d"')
  }
  t.strictSame((await key('key:show')).jwk, jwk)
})

void t.test('key:rotate keeps the old key beside the new one', async (t) => {
  const { run, key, path, data } = await setUp(t)
  const first = await key('key:rotate')
  t.equal(first.old_file, null)
  const text = await readFile(path, 'utf8')
  const said = await run('key:rotate')
  t.equal(said.code, 0)
  t.match(said.stdout, /^New key \S+ in \S+server-key\.\nThe old one is kept as \S+\.old\.\n$/)
  t.equal(await readFile(`${path}.${first.kid}.old`, 'utf8'), text)
  const second = await key('key:show')
  t.not(second.kid, first.kid)
  t.not(second.jwk['x'], first.jwk['x'])
  for (const name of await readdir(join(data, 'keys'))) {
    t.equal((await stat(join(data, 'keys', name))).mode & 0o777, 0o600, name)
  }
  t.equal((await run('key:rotate', '--quiet')).stdout, '')
})

void t.test('commands find the key that PHLIX_KEY_FILE names, of another kind too', async (t) => {
  const folder = await temporaryDataDirectory(t)
  const file = join(folder, 'own.pem')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const { key, run, path } = await setUp(t, { PHLIX_KEY_FILE: file })
  const shown = await key('key:show')
  t.match(shown, { file, created_at: null, kid: /^[\w-]{11}$/, jwk: { x: publicKey.export({ format: 'jwk' }).x } })
  t.equal((await key('key:rotate')).old_file, `${file}.${shown.kid}.old`)
  t.equal((await run('key:show')).code, 0)
  await t.rejects(stat(path), { code: 'ENOENT' }, 'nothing is created at the unused path')
})

void t.test('a key that cannot be used exits 74, and is neither repeated nor replaced', async (t) => {
  const { run, path } = await setUp(t)
  t.match(await run('key:show', '--json'), { code: 74, stdout: /"server_key_unusable"/ }, 'none yet')
  await t.rejects(stat(path), { code: 'ENOENT' }, 'showing makes none')
  await mkdir(join(path, '..'), { recursive: true })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' })
  for (const content of ['S3CRET-canary', String(rsa), '']) {
    await writeFile(path, content)
    for (const word of ['key:show', 'key:rotate']) {
      const { code, stdout, stderr } = await run(word, '--json')
      t.equal(code, 74, word)
      t.match(JSON.parse(stdout), { error: { code: 'server_key_unusable', exit: 74, hint: String } })
      t.notMatch(stdout + stderr, 'S3CRET-canary')
      t.notOk((stdout + stderr).includes(String(rsa).split('\n')[1] ?? ''))
    }
    t.equal(await readFile(path, 'utf8'), content)
  }
})

void t.test('in production keys need no JWT_SECRET, and no database (JWT-13)', async (t) => {
  const environment = { NODE_ENV: 'production', DB_HOST: '127.0.0.1', DB_PORT: '1' }
  const { run, data } = await setUp(t, environment)
  t.equal((await run('key:rotate')).code, 0)
  t.equal((await run('key:show')).code, 0)
  t.strictSame(await readdir(data), ['keys'])
  await chmod(data, 0o755)
})
