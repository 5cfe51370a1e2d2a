import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emptyDatabase, testDatabase } from '../support/database.ts'
import { registerAdmin, startDaemon, type Daemon } from '../support/daemon.ts'
import { freePort } from '../support/free-port.ts'
import { gatedProbe, type GatedProbe } from '../support/gated-probe.ts'
import { sampleMedia } from '../support/media.ts'
import {
  siblingOfDataDirectory,
  runPhlix,
  runPhlixProcess,
  startPhlix,
  temporaryDataDirectory,
} from '../support/phlix.ts'

/** Data directory of the tests of the embedded engine. */
const shared = await temporaryDataDirectory(t)

void t.test('serve answers, logs JSON lines on stderr, prints nothing on stdout until it has stopped', async (t) => {
  const server = await startDaemon(shared)
  t.equal((await fetch(`${server.address}/healthz`)).status, 200)
  server.child.kill('SIGTERM')
  const { code, stdout, stderr } = await server.result
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { schema: 'serve/1', stopped: true, warnings: [] })
  for (const line of stderr.trim().split('\n')) t.doesNotThrow(() => JSON.parse(line) as unknown, line)
})

void t.test('commands and the server share one engine; the last one stops it', async (t) => {
  const server = await startDaemon(shared)
  t.match(await runPhlixProcess(['library:list', '--data-dir', shared]), { code: 0, stderr: '' })
  t.equal(
    (await fetch(`${server.address}/healthz`)).status,
    200,
    'a command that leaves does not stop the server’s engine',
  )
  server.child.kill('SIGINT')
  t.equal((await server.result).code, 0)
})

void t.test('a port that is in use is a failure with a hint', async (t) => {
  const data = await temporaryDataDirectory(t)
  const server = await startDaemon(data, (await testDatabase(t)).environment)
  const port = new URL(server.address).port
  const other = await temporaryDataDirectory(t)
  const words = ['serve', '--host', '127.0.0.1', '--port', port, '--websocket-port', '0', '--json', '--data-dir', other]
  const second = await runPhlix(words)
  t.match(JSON.parse(second.stdout), { error: { code: 'address_in_use', message: new RegExp(`:${port} is in use`) } })
  t.equal(second.code, 69)
  t.notOk(existsSync(join(other, 'postgres')), 'ports are tried before a database is made')
  server.child.kill('SIGTERM')
  await server.result
})

void t.test('PHLIX_PORT, which is not read, is reported, unless it is the address that Kubernetes sets', async (t) => {
  const data = await temporaryDataDirectory(t)
  const warningsOf = async (port: string, ...words: string[]) => {
    const environment = { PHLIX_PORT: port, NODE_ENV: 'production', JWT_SECRET: 'weak' }
    return (await runPhlix(['serve', ...words, '--data-dir', data], { environment })).stderr
  }
  t.match(await warningsOf('9000'), 'warning: PHLIX_PORT is not read; --port, or server.port')
  t.notMatch(await warningsOf('9000', '--port', '0'), 'PHLIX_PORT')
  t.notMatch(await warningsOf('tcp://10.0.0.1:8096'), 'PHLIX_PORT')
})

void t.test('a bad port exits 78 naming the key', async (t) => {
  const data = await temporaryDataDirectory(t)
  const { code, stdout } = await runPhlix(['serve', '--port', '70000', '--json', '--data-dir', data])
  t.equal(code, 78)
  t.match(JSON.parse(stdout), { error: { code: 'invalid_config', message: /^server\.port must be/ } })
})

void t.test('in production a missing or weak JWT_SECRET exits 78 before anything listens (JWT-13)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const weak = ['', 'S3CRET-canary', 'please-change-me-before-you-go-to-production']
  for (const secret of [{}, ...weak.map((value) => ({ JWT_SECRET: value }))]) {
    const port = String(await freePort())
    const words = ['serve', '--host', '127.0.0.1', '--port', port, '--json', '--data-dir', data]
    const { code, stdout, stderr } = await runPhlix(words, { environment: { NODE_ENV: 'production', ...secret } })
    t.equal(code, 78)
    t.match(JSON.parse(stdout), { error: { code: 'insecure_jwt_secret', exit: 78, message: /32 random bytes/ } })
    t.notMatch(stdout + stderr, 'S3CRET-canary')
    t.notMatch(stderr, 'the daemon listens')
    t.strictSame(await readdir(data), [], 'nothing was opened, made or started')
  }
})

void t.test('in production commands that sign nothing work without JWT_SECRET (JWT-13)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const environment = { ...(await emptyDatabase(t)), NODE_ENV: 'production' }
  for (const words of [
    ['migrate'],
    ['user:create', 'ada', '--email', 'ada@example.org'],
    ['user:list'],
    ['library:list'],
    ['key:rotate'],
    ['key:show'],
  ]) {
    const { code, stderr } = await runPhlix([...words, '--data-dir', data], { environment })
    t.strictSame([code, stderr], [0, ''], words.join(' '))
  }
  t.notOk((await readdir(join(data, 'keys'))).includes('jwt-secret'), 'and make none')
})

void t.test(
  'the server makes its key at the first start, keeps it, and shows a rotated one at once (JWT-18)',
  async (t) => {
    const data = await temporaryDataDirectory(t)
    const { environment } = await testDatabase(t)
    const kid = async ({ address }: Daemon): Promise<unknown> =>
      ((await (await fetch(`${address}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys[0]?.kid
    const stop = async ({ child, result }: Daemon): Promise<void> => {
      child.kill('SIGTERM')
      await result
    }
    const first = await startDaemon(data, environment)
    const made = await kid(first)
    t.match(made, /^\d{4}-\d\d-\d\dT/)
    await stop(first)
    const second = await startDaemon(data, environment)
    t.equal(await kid(second), made)
    const { stdout } = await runPhlix(['key:rotate', '--json', '--data-dir', data])
    const rotated = (JSON.parse(stdout) as { kid: string }).kid
    t.not(rotated, made)
    t.equal(await kid(second), rotated)
    await stop(second)
  },
)

void t.test(
  'a server whose key is missing or cannot be made serves, with an empty key set and a line in the log',
  async (t) => {
    const missing = join(await temporaryDataDirectory(t), 'own-key')
    const blocked = await temporaryDataDirectory(t)
    await writeFile(join(blocked, 'keys'), 'no folder')
    const database = await testDatabase(t)
    for (const [data, environment, line] of [
      [await temporaryDataDirectory(t), { PHLIX_KEY_FILE: missing }, 'the public key set is empty'],
      [blocked, { JWT_SECRET: 'any, outside production' }, 'the server key could not be created'],
    ] as const) {
      const server = await startDaemon(data, { ...database.environment, ...environment })
      const reply = await fetch(`${server.address}/.well-known/jwks.json`)
      t.equal(reply.status, 200)
      t.strictSame(await reply.json(), { keys: [] })
      server.child.kill('SIGTERM')
      t.equal((await server.result).code, 0)
      t.match(server.log(), `"msg":"${line}"`)
    }
    await t.rejects(readFile(missing), { code: 'ENOENT' }, 'a key is not made where another one should be')
  },
)

type Place = { data: string; films: string; probe: GatedProbe; environment: Record<string, string> }

/** A data directory, a database, a folder with films, and for the server an ffprobe behind a gate. */
async function place(t: Test, count: number): Promise<Place> {
  const data = await temporaryDataDirectory(t)
  const media = siblingOfDataDirectory(data, 'media')
  const films = join(media, 'films')
  await mkdir(films, { recursive: true })
  t.teardown(() => rm(media, { recursive: true, force: true }))
  // A format that only ffprobe can read, which is behind the gate.
  const film = await sampleMedia('film-mpg')
  for (let number = 1; number <= count; number++) await copyFile(film, join(films, `Film ${number} (2001).mp4`))
  const { environment } = await testDatabase(t)
  return { data, films, probe: await gatedProbe(media), environment }
}

void t.test(
  'while a server runs, it runs the scan: the command follows it, and may be interrupted (F-31)',
  async (t) => {
    const { data, films, probe, environment } = await place(t, 8)
    const made = ['library:create', 'Films', '--type=movie', '--path', films, '--no-scan', '--data-dir', data]
    await runPhlix(made, { environment })
    const server = await startDaemon(data, { ...environment, ...probe.environment })
    const words = ['library:scan', 'Films', '--json', '--data-dir', data]

    const leaving = startPhlix(words, { environment })
    await probe.started()
    leaving.child.kill('SIGINT')
    t.equal((await leaving.result).code, 130)
    t.equal((await runPhlix(words, { environment })).code, 75, 'the scan continues in the server')
    const impatient = await runPhlix([...words, '--force', '--timeout', '1'], { environment })
    t.match(impatient, { code: 75, stdout: /"wait_timed_out"/ })

    const forced = startPhlix([...words, '--force', '--progress', 'json'], { environment })
    await new Promise((resolve) => forced.child.stderr?.once('data', resolve))
    await probe.open()
    const { code, stdout } = await forced.result
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { status: 'completed', found: 8, added: 0 })
    t.equal(server.log().split('"scan started"').length - 1, 2, 'the server ran both')
    server.child.kill('SIGTERM')
    await server.result
  },
)

void t.test(
  'while a server runs, migrations have nothing to do and the last of two password resets counts (F-31)',
  async (t) => {
    const data = await temporaryDataDirectory(t)
    const { environment } = await testDatabase(t)
    const server = await startDaemon(data, environment)
    await registerAdmin(server)
    const run = (...words: string[]) => runPhlixProcess([...words, '--data-dir', data], { environment })
    const [migrated, ...reset] = await Promise.all([
      run('migrate'),
      run('user:reset-password', 'ann'),
      run('user:reset-password', 'ann'),
    ])
    t.match(migrated, { code: 0, stdout: /nothing to do/, stderr: '' })
    const statuses: number[] = []
    for (const { code, stdout } of reset) {
      t.equal(code, 0)
      const password = /shown only now: (\S+)\n$/.exec(stdout)?.[1]
      const reply = await fetch(`${server.address}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ann', password }),
      })
      statuses.push(reply.status)
    }
    t.strictSame(new Set(statuses), new Set([200, 401]))
    server.child.kill('SIGTERM')
    t.equal((await server.result).code, 0)
  },
)

void t.test('a first scan is followed, and finished by the command when its server stops', async (t) => {
  const { data, films, probe, environment } = await place(t, 6)
  const server = await startDaemon(data, { ...environment, ...probe.environment })
  await runPhlix(['library:create', 'Films', '--type=movie', '--path', films, '--data-dir', data], { environment })
  const following = startPhlix(['library:scan', 'Films', '--json', '--data-dir', data], { environment })
  await probe.started()
  server.child.kill('SIGTERM')
  const { code, stdout } = await following.result
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { status: 'completed', found: 6, added: 6 })
})

void t.test('a rate limit that is no sensible number stops the start and is named (RL-07)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const [max, window] = ['RATE_LIMIT_REGISTER_MAX', 'RATE_LIMIT_REGISTER_WINDOW']
  const refused = [[max, '0'] as const, [max, '-1'] as const, [max, 'abc'] as const, [max, '1e9'] as const]
  for (const [name, value] of [...refused, [max, '1000000000'] as const, [window, '0'] as const]) {
    const run = await runPhlix(['serve', '--port', '0', '--data-dir', data], { environment: { [name]: value } })
    t.match(run, { code: 78, stdout: '', stderr: new RegExp(`${name} must be a whole number from 1 to`) }, value)
  }
  const all = await runPhlix(['serve', '--data-dir', data], { environment: { [max]: '0', [window]: '0' } })
  t.match(all.stderr, new RegExp(`${max} .*${window} `), 'one message names both')
})
