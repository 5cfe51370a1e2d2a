import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { backupFolder, createBackup, findBackup, listBackups, pruneBackups } from '../../../src/core/backups/index.ts'
import { openFileSink } from '../../../src/core/backups/archive/sink.ts'
import { checkParts } from '../../../src/core/backups/archive/read-archive.ts'
import { writeArchive } from '../../../src/core/backups/archive/write-archive.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { withArchive } from '../../../src/core/backups/open/with-archive.ts'
import { withSnapshot } from '../../../src/core/backups/snapshot/with-snapshot.ts'
import { acquireSessionLock } from '../../../src/core/platform/database/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { smallDisk, unlessMountable } from '../../support/disks.ts'
import { testServices } from '../../support/services.ts'

const services = await testServices(t, { environment: { HLS_MIN_DISK_SPACE_BYTES: '0' } })
await makeUser(services.db, 'ada')
const folder = backupFolder(services.config)

/** The stored text of a table. */
async function textOf(path: string, table: string): Promise<string> {
  const unpacked = reachableDirectory(t)
  // Without Phlix: tar and zstd read it.
  spawnSync('tar', ['-xf', path, '-C', unpacked])
  const parts = readdirSync(join(unpacked, 'tables', table)).map((name) => join(unpacked, 'tables', table, name))
  const { zstdDecompressSync } = await import('node:zlib')
  return parts.map((part) => zstdDecompressSync(readFileSync(part)).toString('utf8')).join('')
}

void t.test('all tables of an archive are of one moment, while rows are written (F-28)', async (t) => {
  let [isWriting, written] = [true, 0]
  const writing = (async () => {
    while (isWriting) {
      written += 1
      const name = `test.${String(written).padStart(6, '0')}`
      // One transaction writes to the last and to the first table that is exported.
      await services.db.transaction(async (connection) => {
        await connection.query(sql.unsafe`insert into settings (name, value, updated_at) values (${name}, '1', now())`)
        await connection.query(sql.unsafe`
          insert into account_invites (code_digest, created_at, expires_at)
          values (sha256(${name}::bytea), now(), now() + interval '1 day')`)
      })
      await turn()
    }
  })()
  const paths: string[] = []
  for (let count = 0; count < 3; count += 1) paths.push((await createBackup(services)).path)
  isWriting = false
  await writing
  const lines = (text: string): number => text.split('\n').length - 1
  for (const path of paths) {
    const settings = lines(await textOf(path, 'settings'))
    t.ok(settings > 0)
    t.equal(settings, lines(await textOf(path, 'account_invites')))
  }
  t.ok(written > 3, `${written} transactions`)
  const { status } = spawnSync(
    'sh',
    ['-c', `mkdir -p x && tar -xf ${paths[0]} -C x && cd x && sha256sum -c manifest.sha256`],
    {
      cwd: reachableDirectory(t),
    },
  )
  t.equal(status, 0, 'sha256sum checks the manifest')
})

void t.test('a table of several segments is stored whole and in order', async (t) => {
  // 14 MB in rows of 1 kB, and one row that is longer than a segment.
  const [rows, long] = ['segment.row.', 'segment.long']
  await services.db.query(sql.unsafe`
    insert into settings (name, value, updated_at)
    select ${rows} || lpad(n::text, 6, '0'), to_jsonb(repeat(md5(n::text), 32)), now() from generate_series(1, 14000) n`)
  await services.db.query(sql.unsafe`
    insert into settings (name, value, updated_at)
    select ${long}, to_jsonb(string_agg(md5(n::text), '')), now() from generate_series(1, 200000) n`)
  const { path, tables } = await createBackup(services)
  const table = tables.find(({ name }) => name === 'settings')
  t.ok((table?.segments ?? 0) >= 5, `${table?.segments} segments`)
  const text = await textOf(path, 'settings')
  t.equal(Buffer.byteLength(text), table?.bytes)
  t.equal(createHash('sha256').update(text).digest('hex'), table?.sha256)
  const Row = z.object({ name: z.string(), value: z.unknown() })
  const expected = await services.db.any(sql.type(Row)`select name, value from settings order by name collate "C"`)
  t.strictSame(
    text
      .trimEnd()
      .split('\n')
      .map((line) => createHash('md5').update(line.split('\t').slice(0, 2).join('\t')).digest('hex')),
    expected.map(({ name, value }) =>
      createHash('md5')
        .update(`${name}\t${JSON.stringify(value)}`)
        .digest('hex'),
    ),
  )
  await services.db.query(sql.unsafe`delete from settings where starts_with(name, 'segment.')`)
})

void t.test('only the owner can read an archive, and one backup runs at a time', async (t) => {
  const [newest] = await listBackups(services)
  t.equal(statSync(newest?.path ?? '').mode & 0o777, 0o600)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  const lock = await acquireSessionLock({ connectionUri: services.connectionUri, key: 'phlix:backup' })
  await t.rejects(createBackup(services), { code: 'backup_busy', kind: 'busy' })
  await lock?.release()
})

void t.test('links are not followed: they are reported', async (t) => {
  const keys = join(services.config.dataDirectory, 'keys')
  await mkdir(keys, { recursive: true })
  symlinkSync('/etc/hostname', join(keys, 'link'))
  const { skipped, path } = await createBackup(services)
  t.strictSame(skipped, [join(keys, 'link')])
  await withArchive({ ...services, path }, async ({ manifest }) => {
    t.notOk(manifest.parts.some((part) => part.path.includes('link')))
  })
  await rm(join(keys, 'link'))
})

void t.test(
  'an interrupted or failed backup leaves nothing, and what a killed one leaves is neither listed nor kept',
  async (t) => {
    const before = readdirSync(folder)
    for (const step of ['segment', 'table', 'files', 'synced'] as const) {
      const fail = ({ step: done }: { step: string }): void => {
        if (done === step) throw new Error('stopped')
      }
      await t.rejects(createBackup(services, { onStep: fail }), /stopped/)
      t.strictSame(readdirSync(folder), before, step)
    }
    await t.rejects(createBackup(services, { signal: AbortSignal.abort(new Error('ctrl-c')) }), /ctrl-c/)
    writeFileSync(join(folder, '.partial-1-2-3-abc'), 'left by a killed process')
    t.equal((await listBackups(services)).length, before.length)
    const { path } = await createBackup(services)
    t.strictSame(readdirSync(folder).toSorted(), [...before, path.slice(folder.length + 1)].toSorted())
  },
)

void t.test('a file that disappears or becomes shorter while it is read is left out', async (t) => {
  const directory = reachableDirectory(t)
  const source = join(directory, 'file')
  writeFileSync(source, 'content')
  symlinkSync(source, join(directory, 'link'))
  const header = await withArchive(
    { ...services, path: (await createBackup(services)).path },
    async (open) => open.header,
  )
  const path = join(directory, 'a.tar')
  const writer = await writeArchive(await openFileSink(path), { header, spool: `${path}-file` })
  const mayBeLink = false
  t.equal(await writer.addFile('keys/absent', join(directory, 'absent'), { mayBeLink }), false)
  t.equal(await writer.addFile('keys/link', join(directory, 'link'), { mayBeLink }), false, 'it became a link')
  t.equal(await writer.addFile('config/config.toml', join(directory, 'link'), { mayBeLink: true }), true)
  t.equal(await writer.addFile('keys/folder', directory, { mayBeLink }), false)
  // Above the size that is read at once. The copy is created before the first of its chunks is read.
  const large = join(directory, 'large')
  writeFileSync(large, '')
  truncateSync(large, 64 * 1024 * 1024)
  const adding = writer.addFile('plugins/large', large, { mayBeLink })
  while (!existsSync(`${path}-file`)) await turn()
  truncateSync(large, 1024)
  t.equal(await adding, false, 'a large file became shorter')
  truncateSync(large, 17 * 1024 * 1024)
  t.equal(await writer.addFile('plugins/large', large, { mayBeLink }), true)
  t.notOk(existsSync(`${path}-file`))
  await writer.finish([])
  await withArchive({ ...services, path }, async (archive) => {
    await checkParts(archive)
    t.strictSame(archive.manifest.parts.map((part) => part.path).slice(1), ['config/config.toml', 'plugins/large'])
    t.equal((await archive.read('config/config.toml', 7)).toString(), 'content')
    await t.rejects(archive.read('config/config.toml', 6), { code: 'backup_damaged', message: /too large/ })
  })
  // A file of the plug-ins that goes away after the tables were exported.
  const plugins = join(services.config.dataDirectory, 'plugins')
  await mkdir(plugins, { recursive: true })
  writeFileSync(join(plugins, 'late.js'), '')
  const remove = ({ step }: { step: string }): void => {
    if (step === 'table') rmSync(join(plugins, 'late.js'), { force: true })
  }
  t.strictSame((await createBackup(services, { onStep: remove })).skipped, [])
})

void t.test(
  'a backup by root belongs to the owner of the data directory',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const { uid, gid } = statSync(services.config.dataDirectory)
    chownSync(services.config.dataDirectory, 65_534, 65_534)
    const { path } = await createBackup(services, { passphrase: 'correct horse' })
    for (const file of [path, `${path}.json`]) {
      t.equal(statSync(file).uid, 65_534, file)
      await rm(file)
    }
    chownSync(services.config.dataDirectory, uid, gid)
  },
)

void t.test('what killed commands left is removed by the next backup, also by one to another folder', async (t) => {
  const { dataDirectory } = services.config
  const side = join(dataDirectory, 'restore-1-2-3-abc')
  await mkdir(side)
  const plain = join(folder, '.partial-1-2-3-abc')
  writeFileSync(plain, 'decrypted')
  const other = reachableDirectory(t)
  writeFileSync(join(other, '.partial-1-2-3-abc'), 'perhaps of another machine')
  await createBackup(services, { folder: other })
  t.strictSame(
    [side, plain, join(other, '.partial-1-2-3-abc')].map((path) => existsSync(path)),
    [false, false, true],
  )
})

void t.test('an encrypted archive is decrypted only if there is space for it', async () => {
  const { path } = await createBackup(services, { passphrase: 'correct horse' })
  const config = loadConfig({
    dataDirectory: services.config.dataDirectory,
    environment: { HLS_MIN_DISK_SPACE_BYTES: String(2 ** 50) },
  })
  const attempt = withArchive({ config, path, passphrase: 'correct horse' }, async () => {})
  await t.rejects(attempt, { code: 'backup_no_space' })
  for (const file of [path, `${path}.json`]) await rm(file)
})

void t.test('a snapshot that is open for too long is ended', async (t) => {
  const endless = withSnapshot(
    { connectionUri: services.connectionUri, limitMilliseconds: 20 },
    () => new Promise(() => {}),
  )
  await t.rejects(endless, { code: 'backup_timeout', kind: 'busy' })
})

void t.test('an encrypted backup is listed by the file beside it, and opened by its passphrase only', async (t) => {
  const encrypted = await createBackup(services, { passphrase: 'correct horse', label: 'secret' })
  t.match(readFileSync(encrypted.path).subarray(0, 21).toString(), 'age-encryption.org/v1')
  t.match(await findBackup({ ...services, id: encrypted.id }), { state: 'valid', isEncrypted: true, label: 'secret' })
  const open = (passphrase?: string) =>
    withArchive({ ...services, path: encrypted.path, passphrase }, async ({ header }) => header.id)
  t.equal(await open('correct horse'), encrypted.id)
  await t.rejects(open(), { code: 'backup_passphrase' })
  await t.rejects(open('wrong'), { code: 'backup_passphrase' })
  const bytes = readFileSync(encrypted.path)
  bytes.writeUInt8(bytes.readUInt8(9000) ^ 1, 9000)
  writeFileSync(encrypted.path, bytes)
  await t.rejects(open('correct horse'), { code: 'backup_damaged' })
  t.match(await findBackup({ ...services, id: encrypted.id }), { state: 'damaged' })
  await rm(`${encrypted.path}.json`)
  t.match(await findBackup({ ...services, id: encrypted.path.slice(folder.length + 1) }), { state: 'unchecked' })
  await rm(encrypted.path)
  t.notOk(
    readdirSync(folder).some((name) => name.startsWith('.partial')),
    'no decrypted file is left',
  )
})

void t.test(
  'a full disk ends a backup without a trace; older backups stay (F-08)',
  { skip: unlessMountable() },
  async (t) => {
    const disk = smallDisk(t, 1)
    const first = await createBackup(services, { folder: disk.folder })
    disk.fill()
    await t.rejects(createBackup(services, { folder: disk.folder }), { code: 'backup_no_space' })
    await mkdir(join(disk.folder, 'new'))
    const unexpected = createBackup(services, { folder: join(disk.folder, 'new') })
    await t.rejects(unexpected, { code: 'backup_no_space' }, 'the size of a first backup is known segment by segment')
    await t.rejects(createBackup(services, { folder: '/dev/null/x' }), { code: 'backup_write_failed' })
    t.strictSame(readdirSync(join(disk.folder, 'new')), [])
    t.match(await listBackups({ ...services, folder: disk.folder }), [{ id: first.id, state: 'valid' }])
    t.strictSame(
      readdirSync(disk.folder).filter((name) => name.startsWith('.')),
      [],
    )
  },
)

void t.test('prune removes what no rule keeps, with the files beside', async (t) => {
  const all = await listBackups(services)
  const plan = await pruneBackups({ ...services, rules: { last: 2 }, isDryRun: true })
  t.equal(plan.filter(({ isKept }) => isKept).length, 2)
  t.equal((await listBackups(services)).length, all.length)
  await pruneBackups({ ...services, rules: { last: 2 } })
  t.strictSame(
    (await listBackups(services)).map(({ id }) => id),
    all.slice(0, 2).map(({ id }) => id),
  )
})
