import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { S3_KEYS, startFakeS3 } from '../../support/fake-s3.ts'
import { keepEngineRunning, runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
await keepEngineRunning(t, data)
const run = (words: string[], environment: Record<string, string> = {}) =>
  runPhlix([...words, '--data-dir', data], { environment })
const backups = join(data, 'backups')

void t.test('backup:create prints the archive, and backup:list shows it (F-28)', async (t) => {
  const { code, stdout } = await run(['backup:create', '--label', 'first', '--json'])
  t.equal(code, 0, stdout)
  const created = JSON.parse(stdout) as { id: string; path: string; tables: number; rows: number }
  t.match(created, { schema: 'backup.create/1', label: 'first', path: new RegExp(`^${backups}/phlix-.*\\.tar$`) })
  t.notOk('table_details' in created, 'tables are only counted')
  t.ok(created.tables > 10 && created.rows > 0)
  const folder = reachableDirectory(t)
  const detailed = await run(['backup:create', '--details', '--to', folder, '--json'])
  const { table_details: details, ...summary } = JSON.parse(detailed.stdout) as {
    tables: number
    rows: number
    table_details: { name: string; rows: number }[]
  }
  t.ok(details.some(({ name }) => name === 'users'))
  t.equal(details.length, summary.tables)
  t.equal(
    details.reduce((sum, { rows }) => sum + rows, 0),
    summary.rows,
  )
  t.match(await run(['backup:list']), { code: 0, stdout: new RegExp(`${created.id}.*valid.*first`) })
})

void t.test('a damaged archive is marked, fails verify with 4, and is not restored (F-29)', async (t) => {
  const folder = reachableDirectory(t)
  const { path } = JSON.parse((await run(['backup:create', '--to', folder, '--json'])).stdout) as { path: string }
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(9000) ^ 1, 9000)
  writeFileSync(path, bytes)
  t.match(await run(['backup:list', '--folder', folder]), { code: 0, stdout: /damaged/ })
  t.match(await run(['backup:verify', path]), { code: 4, stdout: /is damaged/ })
  const other = reachableDirectory(t)
  t.match(await runPhlix(['backup:restore', path, '--data-dir', other, '--json']), {
    code: 4,
    stdout: /"restored": false/,
  })
  t.match(await run(['backup:verify', join(folder, 'absent.tar')]), { code: 66, stderr: /backup_not_found/ })
  t.match(await run(['backup:verify', '0123456789ab']), { code: 66 })
})

void t.test('a restore needs force, a confirmation, and a server that is stopped (F-30)', async (t) => {
  const { backups } = JSON.parse((await run(['backup:list', '--json'])).stdout) as { backups: { id: string }[] }
  const id = backups[0]?.id ?? ''
  t.match(await run(['backup:restore', id]), { code: 1, stderr: /restore_not_empty.*\n.*--force/ })
  t.match(await run(['backup:restore', id, '--force']), { code: 2, stderr: /--yes/ })
  const lock = acquireProcessLock({ path: join(data, 'serve.lock'), address: 'http://localhost:1' })
  t.match(await run(['backup:restore', id, '--force', '--yes']), { code: 75, stderr: /systemctl stop phlix/ })
  lock.release()
})

void t.test('an encrypted backup needs its passphrase, which is never an argument', async (t) => {
  const folder = reachableDirectory(t)
  const file = join(folder, 'passphrase')
  writeFileSync(file, 'correct horse battery\n')
  const environment = { PHLIX_BACKUP_PASSPHRASE_FILE: file }
  const { path } = JSON.parse((await run(['backup:create', '--to', folder, '--json'], environment)).stdout) as {
    path: string
  }
  t.match(path, /\.tar\.age$/)
  t.match(await run(['backup:verify', path]), { code: 77, stderr: /--passphrase-file/ })
  writeFileSync(file, '\n')
  t.match(await run(['backup:create', '--passphrase-file', file]), { code: 77, stderr: /empty/ })
})

void t.test('backup:prune needs a rule and a confirmation, and shows what it would remove', async (t) => {
  await run(['backup:create'])
  t.match(await run(['backup:prune']), { code: 2, stderr: /--keep-last/ })
  t.match(await run(['backup:prune', '--keep-last', '1']), { code: 2, stderr: /--yes/ })
  t.match(await run(['backup:prune', '--keep-last', '1', '--dry-run']), { code: 0, stdout: /Would remove 1 of 2/ })
  t.match(await run(['backup:prune', '--keep-last', '1', '--yes', '--quiet']), { code: 0, stdout: '' })
  t.match(JSON.parse((await run(['backup:list', '--json'])).stdout), { backups: [{ state: 'valid' }] })
})

void t.test('a full disk ends backup:create with 74 (F-08)', async (t) => {
  const environment = { HLS_MIN_DISK_SPACE_BYTES: String(Number.MAX_SAFE_INTEGER) }
  t.match(await run(['backup:create'], environment), { code: 74, stderr: /backup_no_space/ })
  t.match(await run(['backup:create', '--to', '/dev/null/x']), { code: 74, stderr: /backup_write_failed/ })
})

void t.test(
  'a backup goes to the bucket, is listed there, comes back, and is pruned; no secret is printed',
  async (t) => {
    const s3 = await startFakeS3(t)
    const outputs: string[] = []
    const withBucket = async (words: string[], changes: Record<string, string> = {}) => {
      const result = await run(words, { ...s3.environment, ...changes })
      outputs.push(result.stdout, result.stderr)
      return result
    }
    const created = await withBucket(['backup:create', '--upload', '--json'])
    t.equal(created.code, 0, created.stderr)
    const { id, path, location } = JSON.parse(created.stdout) as { id: string; path: string; location: string }
    t.match(location, /^s3:\/\/backups\/phlix\/phlix-/)
    t.match(await withBucket(['backup:upload', id]), { code: 0, stdout: /^The bucket has it: s3:/ })
    t.match(await withBucket(['backup:list', '--remote']), { code: 0, stdout: new RegExp(`${id}.*valid`) })
    const folder = reachableDirectory(t)
    t.match(await withBucket(['backup:download', id, '--to', folder, '--json']), { code: 0 })
    t.ok(readFileSync(join(folder, readdirSync(folder)[0] ?? '')).equals(readFileSync(path)))
    t.match(await withBucket(['backup:download', '0123456789ab']), { code: 66, stderr: /has no backup 0123456789ab/ })
    t.match(await withBucket(['backup:list', '--remote', '--folder', folder]), { code: 2 })
    writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'mine')
    t.match(await withBucket(['backup:download', id, '--to', folder]), { code: 1, stderr: /backup_exists/ })
    const stored = s3.objects.get(location.slice('s3://backups/'.length))
    stored?.content.writeUInt8(stored.content.readUInt8(1000) ^ 1, 1000)
    const empty = reachableDirectory(t)
    t.match(await withBucket(['backup:download', id, '--to', empty]), { code: 4, stderr: /backup_damaged/ })
    t.strictSame(readdirSync(empty), [])
    t.match(await withBucket(['backup:prune', '--all-servers', '--keep-last', '1', '--dry-run']), { code: 2 })
    t.match(await withBucket(['backup:prune', '--remote', '--keep-last', '1', '--dry-run']), {
      stdout: /Would remove 0 of 1/,
    })
    t.match(await withBucket(['backup:list', '--remote'], { PHLIX_S3_SECRET_ACCESS_KEY: 'wrong-secret' }), {
      code: 78,
      stderr: /storage_denied/,
    })
    t.match(await withBucket(['backup:create', '--upload'], { PHLIX_S3_BUCKET: 'absent' }), {
      code: 78,
      stderr: /\.tar was written, but is not in the bucket[^]*storage_bucket_missing/,
    })
    t.match(await withBucket(['backup:list', '--remote'], { PHLIX_S3_BUCKET: '' }), {
      code: 78,
      stderr: /backups.s3.bucket/,
    })
    t.match(await withBucket(['config:show', '--json']), { code: 0 })
    t.notMatch(outputs.join('\n'), new RegExp(`wrong-secret|${S3_KEYS.secretAccessKey.replaceAll('/', '\\/')}`))
  },
)
