import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../../../../src/core/plugins/archive/archive-limits.ts'
import { unpackArchive } from '../../../../src/core/plugins/archive/unpack-archive.ts'
import { tarGz, type ArchiveEntry } from '../../../support/plugin-archives.ts'

const REFUSED = { kind: 'invalid', code: 'plugin.install.failed' }

async function unpack(t: Test, entries: Iterable<ArchiveEntry>, limits?: ArchiveLimits) {
  const parent = t.testdir({ staging: {} })
  const folder = join(parent, 'staging')
  const hashes = await unpackArchive(await tarGz(entries), { folder, ...(limits === undefined ? {} : { limits }) })
  return { folder, hashes }
}

/** Nothing may appear beside the staging folder. */
async function refuses(t: Test, entries: Iterable<ArchiveEntry>, message: RegExp, limits?: ArchiveLimits) {
  const parent = t.testdir({ staging: {}, outside: 'untouched' })
  const folder = join(parent, 'staging')
  const bytes = await tarGz(entries)
  await t.rejects(unpackArchive(bytes, { folder, ...(limits === undefined ? {} : { limits }) }), {
    ...REFUSED,
    message,
  })
  t.strictSame(readdirSync(parent).toSorted(), ['outside', 'staging'], 'nothing outside')
  t.equal(readFileSync(join(parent, 'outside'), 'utf8'), 'untouched')
}

const file = (path: string, content = 'x'): ArchiveEntry => ({ path, content })

void t.test('files and folders are unpacked, with the SHA-256 of each file', async (t) => {
  const { folder, hashes } = await unpack(t, [
    { path: './', type: 'Directory' },
    file('./plugin.json', '{}'),
    { path: 'lib/', type: 'Directory' },
    file('lib/deep/ünicode.js', 'hello'),
    file('empty', ''),
  ])
  t.strictSame(Object.keys(hashes).toSorted(), ['empty', 'lib/deep/ünicode.js', 'plugin.json'])
  t.equal(hashes['lib/deep/ünicode.js'], '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
  t.equal(readFileSync(join(folder, 'lib/deep/ünicode.js'), 'utf8'), 'hello')
})

void t.test('hostile names are refused (PI-01)', async (t) => {
  const names: [string, RegExp][] = [
    ['../outside', /leaves its folder/],
    ['/etc/phlix', /absolute/],
    ['a/../../outside', /leaves its folder/],
    ['a//b', /leaves its folder/],
    ['a/./b', /leaves its folder/],
    ['..', /leaves its folder/],
    ['a\\..\\b', /forbidden character/],
    ['C:evil', /forbidden character/],
    ['a\nb', /forbidden character/],
    ['a\u0085b', /forbidden character/],
    [Array.from({ length: 40 }, () => 'd').join('/'), /nested deeper/],
  ]
  for (const [name, message] of names) await t.test(JSON.stringify(name), (t) => refuses(t, [file(name)], message))
})

void t.test('links and devices are refused (PI-01)', async (t) => {
  const kinds = ['SymbolicLink', 'Link', 'CharacterDevice', 'BlockDevice', 'FIFO'] as const
  for (const type of kinds) {
    const target = type.endsWith('Link') ? { linkpath: '../outside' } : {}
    const entries: ArchiveEntry[] = [{ path: 'x', type, ...target }, file('x/y')]
    await t.test(type, (t) => refuses(t, entries, new RegExp(`is a ${type}`)))
  }
  await t.test('a link to the folder itself', (t) =>
    refuses(t, [{ path: 'x', type: 'SymbolicLink', linkpath: '.' }], /is a SymbolicLink/),
  )
})

void t.test('names that some file systems treat as one are refused (PI-01)', async (t) => {
  await t.test('twice', (t) => refuses(t, [file('a'), file('a')], /occurs twice/))
  await t.test('case', (t) => refuses(t, [file('a/Index.js'), file('a/index.js')], /only in case/))
  await t.test('case of a folder', (t) => refuses(t, [file('Lib/a'), file('lib/b')], /only in case/))
  await t.test('normal form', (t) => refuses(t, [file('caf\u00e9'), file('cafe\u0301')], /only in case/))
  await t.test('file and folder', (t) => refuses(t, [file('a'), file('a/b')], /occurs twice/))
  await t.test('a folder twice is fine', async (t) => {
    const folder: ArchiveEntry = { path: 'a/', type: 'Directory' }
    t.strictSame(Object.keys((await unpack(t, [folder, folder, file('a/b')])).hashes), ['a/b'])
  })
})

void t.test('archives that unpack to too much are refused before it is written (PI-01)', async (t) => {
  const zeros = Buffer.alloc(1024 * 1024)
  const many = Array.from({ length: 8 }, (_, index) => ({ path: `z${index}`, content: zeros }))
  await t.test('a ratio of 1,000', (t) => refuses(t, many, /200 times its size/))
  const small = { ...ARCHIVE_LIMITS, unpackedBytes: 64 * 1024 }
  await t.test('size', (t) => refuses(t, many, /unpacks to more than 65536 bytes/, small))
  const files = Array.from({ length: 11 }, (_, index) => file(`f${index}`))
  await t.test('number', (t) => refuses(t, files, /more than 10 entries/, { ...ARCHIVE_LIMITS, files: 10 }))
  await t.test('archive', (t) => refuses(t, files, /larger than 10 bytes/, { ...ARCHIVE_LIMITS, archiveBytes: 10 }))
})

void t.test('an archive that is compressed twice is refused, and nothing of it is written (PI-01)', async (t) => {
  const inner = gunzipSync(await tarGz([{ path: 'z', content: Buffer.alloc(8 * 1024 * 1024) }]))
  const second = gzipSync(inner)
  // The decompressor returns the first byte alone.
  const split = Buffer.concat([gzipSync(second.subarray(0, 1)), gzipSync(second.subarray(1))])
  for (const [name, twice, message] of [
    ['gzip', gzipSync(second), /compressed twice/],
    ['zstd', gzipSync(zstdCompressSync(inner)), /compressed twice/],
    ['nothing in gzip', gzipSync(gzipSync(Buffer.alloc(0))), /compressed twice/],
    ['two members', split, /compressed twice|ratio exceeded/],
  ] as const) {
    const folder = join(t.testdir({ staging: {} }), 'staging')
    await t.rejects(unpackArchive(twice, { folder }), { ...REFUSED, message }, name)
    t.strictSame(readdirSync(folder), [], name)
  }
})

void t.test('a file may have a name that objects of JavaScript treat specially', async (t) => {
  const { hashes } = await unpack(t, [file('__proto__'), file('constructor')])
  t.strictSame(Object.keys(hashes).toSorted(), ['__proto__', 'constructor'])
})

void t.test('what is no tar.gz archive, or ends too early, is refused (PI-01)', async (t) => {
  const whole = await tarGz([file('a', 'x'.repeat(3000)), file('b')])
  const folder = (): string => join(t.testdir({ staging: {} }), 'staging')
  const broken = [
    Buffer.from('not an archive'),
    Buffer.alloc(0),
    whole.subarray(0, whole.length - 20),
    gzipSync('no tar in here'.repeat(200)),
    gzipSync(Buffer.alloc(300)),
  ]
  for (const bytes of broken) await t.rejects(unpackArchive(bytes, { folder: folder() }), REFUSED)
  const cut = { path: 'a', content: 'x', size: 5000 }
  await t.rejects(unpackArchive(await tarGz([cut]), { folder: folder() }), REFUSED, 'a file shorter than declared')
})
