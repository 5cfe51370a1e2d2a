import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { testDatabase } from '../support/database.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../support/directories.ts'
import { smallDisk, unlessMountable } from '../support/disks.ts'
import { startPhlix } from '../support/phlix.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { canStartThreadsAs } from '../support/unprivileged-user.ts'

const NOBODY = 65_534
const SOURCE_ENTRY = join(import.meta.dirname, '..', '..', 'bin', 'dev.js')

// Before the tests: it changes the account of this process for a moment.
const isRoot = process.geteuid?.() === 0
const unlessAccount = !isRoot
  ? 'needs root'
  : !(await canStartThreadsAs(NOBODY)) && 'other accounts cannot read the sources'

/** The names, rights and contents of a folder. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const path = join(folder, name)
      const { mode, uid } = lstatSync(path)
      const bytes = lstatSync(path).isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
      return `${name} ${mode.toString(8)} ${uid} ${bytes}`
    })
    .toSorted()
}

type Expected = { codes: readonly number[]; error: RegExp; environment?: Record<string, string>; uid?: number }

/** The release of the tests can be read by its account only, the sources by all. */
function runAs(uid: number, words: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const account = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups']
  const { status, stdout, stderr } = spawnSync('setpriv', [...account, process.execPath, SOURCE_ENTRY, ...words], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}

/** Runs commands and the server on a data directory: each says in one line what is wrong, and one what to do, and changes no file. */
async function refuses(t: Test, data: string, { codes, error, environment = {}, uid }: Expected): Promise<void> {
  const before = contentOf(data)
  const listen = ['--host', '127.0.0.1', '--port', '0', '--websocket-port', '0']
  for (const words of [['library:list'], ['migrate'], ['serve', ...listen]]) {
    const asked = [...words, '--data-dir', data]
    const { code, stderr, stdout } =
      uid === undefined ? await startPhlix(asked, { environment }).result : runAs(uid, asked)
    const [command = ''] = words
    t.ok(codes.includes(code ?? -1), `${command} ends with ${code}`)
    t.match(stderr, error, command)
    t.equal(stdout, '', command)
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{'))
    t.ok(lines.length <= 3, `${command}: ${stderr}`)
    t.notMatch(stderr, /\n\s+at .*\.[jt]s:\d+/, 'no stack')
  }
  t.strictSame(contentOf(data), before, 'nothing was changed on the disk')
}

void t.test('the files of a newer PostgreSQL are refused and not changed (F-40)', async (t) => {
  const data = dataDirectoryInMemory(t)
  await copyPreparedCluster(data)
  writeFileSync(join(data, 'postgres', 'PG_VERSION'), '99\n')
  await refuses(t, data, { codes: [78], error: /version 99|engine_version/ })
})

void t.test('a database that a newer release has migrated is refused and not changed (F-40)', async (t) => {
  const data = reachableDirectory(t)
  mkdirSync(join(data, 'keys'), { mode: 0o700 })
  writeFileSync(join(data, 'keys', 'jwt-secret'), 'x'.repeat(64), { mode: 0o600 })
  const { environment, pool: db } = await testDatabase(t)
  await db.query(sql.unsafe`
    insert into schema_migrations (version, name, checksum, applied_at)
    select 9999, '9999_of_later.sql', checksum, now() from schema_migrations limit 1`)
  const rows = () => db.any(sql.unsafe`select * from schema_migrations order by version`)
  const before = await rows()
  await refuses(t, data, { codes: [78], error: /schema_too_new/, environment })
  t.strictSame(await rows(), before)
})

void t.test('a data directory on a read-only disk is refused (F-40)', { skip: unlessMountable() }, async (t) => {
  const { folder } = smallDisk(t, 16)
  t.equal(spawnSync('mount', ['-o', 'remount,ro', folder]).status, 0)
  await refuses(t, folder, { codes: [66, 69, 74, 77, 78], error: /read-only|EROFS|cannot be written|no_database/i })
})

void t.test('a data directory of another account is refused (F-40)', { skip: unlessAccount }, async (t) => {
  const data = dataDirectoryInMemory(t)
  await copyPreparedCluster(data)
  chmodSync(data, 0o700)
  await refuses(t, data, {
    codes: [74, 77, 78],
    error: /permission|EACCES|cannot be (?:read|written|accessed)/i,
    uid: NOBODY,
  })
})
