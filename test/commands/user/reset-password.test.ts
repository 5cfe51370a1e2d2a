import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { keepEngineRunning, runPhlix, runShell, temporaryDataDirectory, type PhlixRun } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
await keepEngineRunning(t, data)
const run = (words: readonly string[], options?: PhlixRun) => runPhlix([...words, '--data-dir', data], options)

void t.test('a password is reset by username or e-mail address, in any case', async (t) => {
  await run(['user:create', 'ada', '--email', 'ada@example.org', '--password-stdin'], { input: 'first password' })
  for (const name of ['ada', 'ADA', 'Ada@Example.org']) {
    const { code, stdout, stderr } = await run(['user:reset-password', name])
    t.equal(code, 0, name)
    t.equal(stderr, '')
    t.match(stdout, /^New password set for ada; all sessions ended\.\nPassword, shown only now: \S{20,}\n$/)
  }
})

void t.test('a made-up password is on standard output and nowhere else (PW-08)', async (t) => {
  const verbose = { environment: { LOG_LEVEL: 'debug', PHLIX_LOG_TO_FILE: 'on' } }
  const { stdout, stderr } = await run(['user:reset-password', 'ada', '-vv'], verbose)
  // 24 symbols of an alphabet of 32 have 120 bits.
  const password = /shown only now: ((?:[a-z0-9]{6}-){3}[a-z0-9]{6})\n$/.exec(stdout)?.[1] ?? ''
  t.equal(password.length, 27)
  t.notMatch(stderr, password)
  const { stdout: found } = await runShell(`grep -rlF -e ${password} '${data}' || true`)
  t.equal(found, '', 'neither in a log nor in the database')
})

void t.test('a given password is taken and not repeated', async (t) => {
  const file = join(data, 'new-password')
  await writeFile(file, 'S3CRET-canary\n')
  for (const way of [
    ['--password-file', file],
    ['--password=S3CRET-canary'],
    ['--password=S3CRET-canary', '--revoke-sessions', '--json'],
    ['--password=S3CRET-canary', '-vv'],
  ]) {
    const { code, stdout, stderr } = await run(['user:reset-password', 'ada', ...way])
    t.equal(code, 0)
    t.notMatch(stdout + stderr, 'S3CRET-canary')
  }
})

void t.test('an unknown account exits 66, a password that breaks the rules 2', async (t) => {
  const unknown = await run(['user:reset-password', 'nobody', '--json'])
  t.equal(unknown.code, 66)
  t.match(JSON.parse(unknown.stdout), { error: { code: 'account_not_found', exit: 66 } })
  const short = await run(['user:reset-password', 'ada', '--password=short', '--json'])
  t.equal(short.code, 2)
  t.match(JSON.parse(short.stdout), { error: { code: 'validation_failed', exit: 2 } })
})
