import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment } = await testDatabase(t)
const run = (words: string[], added: Record<string, string> = {}) =>
  runPhlix(['doctor', ...words, '--data-dir', data], { environment: { ...environment, ...added } })

type Report = { checks: { id: string; level: string; fix: string | null }[]; mended: string[] }

void t.test('an invalid configuration is a finding with its command', async (t) => {
  const { code, stdout } = await run(['--json'], { HLS_MIN_DISK_SPACE_BYTES: 'lots' })
  t.equal(code, 4)
  t.match(JSON.parse(stdout), {
    schema: 'doctor/1',
    checks: [{ id: 'config', level: 'error', fix: 'unset HLS_MIN_DISK_SPACE_BYTES' }],
    warnings: [],
  })
})

void t.test('problems end with 4, also with --quiet; without any the code is 0', async (t) => {
  const good = await run(['--only', 'node', '--only', 'time-zone', '--quiet'])
  t.match(good, { code: 0, stdout: '', stderr: '' })
  const bad = await run(['--only', 'time-zone', '--quiet'], { TZ: 'Mars/Base' })
  t.match(bad, { code: 4, stdout: /^error|^warning +time-zone.*\n +\$ unset TZ\n/ })
})

void t.test('--fix mends what is safe and says what it mended', async (t) => {
  const path = join(data, 'serve.lock')
  await writeFile(path, JSON.stringify({ mark: '999999999-1-x', pid: 999_999_999, address: 'http://127.0.0.1:1' }))
  const before = await run(['--only', 'second-daemon', '--json'])
  t.equal(before.code, 4)
  t.match(
    (JSON.parse(before.stdout) as Report).checks[0]?.fix,
    /^phlix doctor --only second-daemon --fix --data-dir \/\S+$/,
  )
  const { code, stdout } = await run(['--only', 'second-daemon', '--fix', '--json'])
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { checks: [{ id: 'second-daemon', level: 'ok' }], mended: ['second-daemon'] })
  t.notOk(existsSync(path))
})

void t.test('--bundle writes a report that is not overwritten', async (t) => {
  const bundle = join(data, 'report.json.gz')
  const { code, stdout } = await run(['--only', 'node', '--bundle', bundle, '--json'])
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { bundle: { path: bundle, bytes: Number } })
  t.match(JSON.parse(gunzipSync(readFileSync(bundle)).toString()), { checks: [{ id: 'node' }], version: String })
  t.equal((await run(['--only', 'node', '--bundle', bundle])).code, 1)
})

void t.test('unknown checks are refused with the list', async (t) => {
  const { code, stdout } = await run(['--only', 'nope', '--json'])
  t.equal(code, 2)
  t.match(JSON.parse(stdout), { error: { code: 'usage', hint: /database, extensions/ } })
})
