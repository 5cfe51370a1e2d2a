import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Header } from 'tar'
import { backupErrors, createBackup, listBackups, pruneBackups } from '../../../src/core/backups/index.ts'
import { FORMAT, HEADER_PART, type ArchiveHeader } from '../../../src/core/backups/archive/format.ts'
import { checkParts, openArchive } from '../../../src/core/backups/archive/read-archive.ts'
import { openFileSink } from '../../../src/core/backups/archive/sink.ts'
import { checksumLine, writeArchive, type ArchiveWriter } from '../../../src/core/backups/archive/write-archive.ts'
import { latestSchemaVersion } from '../../../src/core/platform/database/index.ts'
import { AppError } from '../../../src/core/platform/errors/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { testServices } from '../../support/services.ts'

const services = await testServices(t)
await makeUser(services.db, 'ada')
const backup = await createBackup(services, { label: 'before "the" upgrade' })
const original = await readFile(backup.path)
const folder = reachableDirectory(t)

/** The code of the error of a complete check; undefined for a valid archive. */
async function problemOf(path: string): Promise<string | undefined> {
  try {
    const archive = await openArchive(path)
    try {
      await checkParts(archive)
      return undefined
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

async function problemOfBytes(bytes: Uint8Array): Promise<string | undefined> {
  const path = join(folder, 'changed.tar')
  await writeFile(path, bytes)
  return problemOf(path)
}

const HEADER: ArchiveHeader = {
  product: 'phlix',
  format: FORMAT,
  id: '0123456789ab',
  created_at: '2026-01-02T03:04:05.000Z',
  phlix_version: '0.1.0',
  schema_version: latestSchemaVersion(),
  postgresql_version: '18.4',
  label: null,
}

let archives = 0
/** An archive whose checksums are right, whatever is in it. */
async function archiveOf(header: ArchiveHeader, fill: (writer: ArchiveWriter) => Promise<void>): Promise<string> {
  const path = join(folder, `made-${(archives += 1)}.tar`)
  const writer = await writeArchive(await openFileSink(path), { header, spool: `${path}-file` })
  await fill(writer)
  await writer.finish([])
  return path
}

void t.test('the archive that was made is valid, and any other file is foreign', async (t) => {
  t.equal(await problemOf(backup.path), undefined)
  t.equal(createHash('sha256').update(original).digest('hex'), backup.sha256)
  t.equal(original.length, backup.bytes)
  t.equal(await problemOfBytes(new Uint8Array()), 'backup_damaged')
  t.equal(await problemOfBytes(Buffer.from('not an archive'.repeat(1000))), 'backup_damaged')
  t.equal(await problemOfBytes(Buffer.alloc(10_240)), 'backup_damaged', 'an empty tar archive')
  const other = await archiveOf({ ...HEADER, product: 'other' as 'phlix' }, async () => {})
  t.equal(await problemOf(other), 'backup_damaged')
})

void t.test('every flipped bit is found (F-29)', async (t) => {
  const random = seededRandom(2026)
  const ends = [
    ...Array.from({ length: 300 }).keys(),
    ...Array.from({ length: 700 }, (_, index) => original.length - 1 - index),
  ]
  const positions = [...ends, ...Array.from({ length: 200 }, () => random.below(original.length))]
  const missed: number[] = []
  for (const position of positions) {
    const changed = Buffer.from(original)
    changed.writeUInt8(changed.readUInt8(position) ^ (1 << random.below(8)), position)
    if ((await problemOfBytes(changed)) === undefined) missed.push(position)
  }
  t.strictSame(missed, [])
})

void t.test('an archive that was cut, or that continues after its end, is damaged', async (t) => {
  const random = seededRandom(7)
  const sizes = [1, 511, 512, original.length - 1, original.length - 512, original.length - 1024]
  for (const size of [...sizes, ...Array.from({ length: 30 }, () => random.below(original.length))]) {
    t.equal(await problemOfBytes(original.subarray(0, size)), 'backup_damaged', `cut at ${size}`)
  }
  t.equal(await problemOfBytes(Buffer.concat([original, Buffer.alloc(512)])), 'backup_damaged')
  t.equal(await problemOfBytes(Buffer.concat([original, original])), 'backup_damaged')
})

void t.test('an archive of a newer format or schema is newer, not damaged', async (t) => {
  const format = await archiveOf({ ...HEADER, format: FORMAT + 1 }, async () => {})
  t.equal(await problemOf(format), 'backup_too_new')
  const listed = reachableDirectory(t)
  await copyFile(format, join(listed, 'format.tar'))
  const schema = await archiveOf({ ...HEADER, schema_version: latestSchemaVersion() + 1 }, async () => {})
  await copyFile(schema, join(listed, 'schema.tar'))
  const states = (await listBackups({ config: services.config, folder: listed })).map(({ name, state }) => [
    name,
    state,
  ])
  t.strictSame(
    new Map(states as [string, string][]),
    new Map([
      ['format.tar', 'newer'],
      ['schema.tar', 'newer'],
    ]),
  )
})

void t.test('names that lead out of the folder, or hide something, are refused', async (t) => {
  const names = [
    '../keys/jwt-secret',
    '/etc/passwd',
    'keys/../../etc/passwd',
    'keys/./a',
    'keys//a',
    'keys/',
    'keys',
    'other/file',
    'keys/a\u0000b',
    'keys/a\nb',
    'keys\\a',
    'tables/users/1.zst',
    'tables/../users/000001.zst',
    'tables/users/000001.zst/x',
    `plugins/${'x'.repeat(5000)}`,
    'manifest.json',
    'restore.json',
  ]
  for (const name of names) {
    const path = await archiveOf(HEADER, (writer) => writer.add(name, Buffer.from('x')))
    t.equal(await problemOf(path), 'backup_damaged', JSON.stringify(name.slice(0, 60)))
  }
  const twice = await archiveOf(HEADER, async (writer) => {
    await writer.add('keys/a', Buffer.from('x'))
    await writer.add('keys/a', Buffer.from('y'))
  })
  t.equal(await problemOf(twice), 'backup_damaged')
  const long = await archiveOf(HEADER, (writer) =>
    writer.add(`plugins/${'ä'.repeat(80)}/${'x'.repeat(300)}`, Buffer.from('x')),
  )
  t.equal(await problemOf(long), undefined, 'a long name is stored in an extended header')
})

void t.test('links and devices are refused', async (t) => {
  for (const type of ['SymbolicLink', 'Link', 'Directory', 'CharacterDevice', 'FIFO'] as const) {
    const header = new Header({
      path: 'keys/a',
      size: 0,
      mode: 0o600,
      type,
      linkpath: '/etc/passwd',
      mtime: new Date(0),
    })
    header.encode()
    const end = original.subarray(-1024)
    const start = original.subarray(0, 1024)
    t.equal(await problemOfBytes(Buffer.concat([start, header.block ?? end, end])), 'backup_damaged', type)
  }
})

void t.test('a part that is missing in the archive or in the manifest is found', async (t) => {
  const path = await archiveOf(HEADER, async (writer) => {
    await writer.add('keys/a', Buffer.from('x'))
    await writer.add('keys/b', Buffer.from('y'))
  })
  const bytes = await readFile(path)
  const text = bytes.toString('latin1')
  const first = text.indexOf('keys/a')
  t.equal(
    await problemOfBytes(Buffer.concat([bytes.subarray(0, first), bytes.subarray(first + 1024)])),
    'backup_damaged',
  )
  t.match(checksumLine('0'.repeat(64)), /^0{64} {2}manifest\.json\n$/, 'sha256sum -c reads it')
  t.match(text.slice(0, 100), new RegExp(`^${HEADER_PART}`))
})

void t.test('a list marks each kind, newest first, and ignores hidden and other files', async (t) => {
  const listed = reachableDirectory(t)
  await copyFile(backup.path, join(listed, 'a.tar'))
  await writeFile(join(listed, 'b.tar'), original.subarray(0, 5000))
  await writeFile(join(listed, '.partial-1-2-3.tar'), original)
  await writeFile(join(listed, 'notes.txt'), '')
  const backups = await listBackups({ config: services.config, folder: listed })
  t.strictSame(
    backups
      .map(({ name, state, label, isEncrypted }) => ({ name, state, label, isEncrypted }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'a.tar', state: 'valid', label: 'before "the" upgrade', isEncrypted: false },
      { name: 'b.tar', state: 'damaged', label: null, isEncrypted: false },
    ],
  )
  t.equal(backups.find(({ name }) => name === 'a.tar')?.id, backup.id)
  t.match(backups.find(({ name }) => name === 'b.tar')?.problem, /ends too early|no manifest/)
  t.strictSame(await listBackups({ config: services.config, folder: join(listed, 'absent') }), [])
  t.equal(backupErrors.backup_damaged.definition.kind, 'conflict')
})

void t.test('an entry that cannot be read is listed as damaged with its reason', async (t) => {
  const listed = reachableDirectory(t)
  await copyFile(backup.path, join(listed, 'a.tar'))
  await mkdir(join(listed, 'folder.tar'))
  await symlink(join(listed, 'absent'), join(listed, 'link.tar'))
  await mkdir(join(listed, 'side.tar.age.json'))
  await writeFile(join(listed, 'side.tar.age'), 'age-encryption.org/v1\n')
  t.strictSame(
    (await listBackups({ config: services.config, folder: listed }))
      .map(({ name, state }) => [name, state])
      .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
    [
      ['a.tar', 'valid'],
      ['folder.tar', 'damaged'],
      ['link.tar', 'damaged'],
      ['side.tar.age', 'damaged'],
    ],
  )
  const created = await createBackup(services, { folder: listed })
  const pruned = await pruneBackups({ config: services.config, folder: listed, rules: { last: 1 } })
  t.strictSame(
    pruned.filter(({ isKept }) => !isKept).map(({ backup: { name } }) => name),
    ['a.tar'],
  )
  t.equal(pruned.find(({ backup: { id } }) => id === created.id)?.isKept, true)
})
