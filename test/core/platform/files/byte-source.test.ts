import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createBufferPool, openByteSource, type ByteSource } from '../../../../src/core/platform/files/byte-source.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

/** 100,000 bytes that encode their position. */
const BYTES = Uint8Array.from({ length: 100_000 }, (_, position) => (position * 7 + (position >> 8)) & 0xff)

function opened(t: Test): { source: ByteSource; path: string } {
  const root = t.testdir()
  const path = join(root, 'film.mkv')
  writeFileSync(path, BYTES)
  const source = openByteSource(createBufferPool(), root, path)
  t.teardown(() => source.close())
  return { source, path }
}

void t.test('bytes are read from the requested position, fewer only at the end', (t) => {
  const { source } = opened(t)
  t.equal(source.sizeBytes, BYTES.length)
  for (const [position, length] of [
    [0, 10],
    [5, 40_000],
    [99_990, 10],
    [99_990, 11],
    [50_000, 0],
    [100_000, 5],
    [2 ** 60, 5],
    [0, 2 ** 40],
    [32_760, 16],
    [3, 1],
  ] as const) {
    const expected = BYTES.subarray(position, Math.min(BYTES.length, position + length))
    t.equal(Buffer.compare(source.read(position, length), expected), 0, `${length} at ${position}`)
  }
  t.end()
})

void t.test('parsing a header is one read; bytes returned earlier keep their values', (t) => {
  const { source } = opened(t)
  const first = source.read(0, 16)
  for (let position = 0; position < 32_000; position += 16) source.read(position, 16)
  t.equal(source.reads, 1)
  source.read(90_000, 16)
  source.read(99_999, 1)
  t.equal(source.reads, 2)
  for (let round = 0; round < 10; round += 1) source.read(round % 2 === 0 ? 0 : 90_000, 16)
  t.equal(source.reads, 2, 'going to and fro costs nothing')
  source.read(10, 90_000)
  t.equal(source.reads, 3, 'a long read is one call')
  t.equal(Buffer.compare(first, BYTES.subarray(0, 16)), 0)
  t.end()
})

void t.test('invalid positions are refused, and a truncated file returns the remaining bytes', (t) => {
  const { source, path } = opened(t)
  for (const [position, length] of [
    [-1, 1],
    [0, -1],
    [Number.NaN, 1],
    [0, Number.NaN],
    [0.5, 1],
  ] as const) {
    t.throws(() => source.read(position, length), RangeError, `${position}, ${length}`)
  }
  truncateSync(path, 50)
  t.equal(source.read(40, 100).length, 10)
  t.equal(source.read(60, 100).length, 0)
  source.close()
  t.doesNotThrow(() => source.close(), 'closing twice is harmless')
  t.end()
})

void t.test(
  'pipes, folders, devices and files outside of the root are refused at once, and no descriptor leaks',
  (t) => {
    const folder = t.testdir({ library: { 'a.mkv': 'film' }, library2: { 'b.mkv': 'other' }, secret: 'secret' })
    const root = join(folder, 'library')
    execFileSync('mkfifo', [join(root, 'pipe.mkv')])
    mkdirSync(join(root, 'folder.mkv'))
    symlinkSync('../secret', join(root, 'secret.mkv'))
    symlinkSync('a.mkv', join(root, 'link.mkv'))
    symlinkSync('nothing', join(root, 'dangling.mkv'))
    const before = readdirSync('/proc/self/fd').length
    const refusals: [path: string, code: string][] = [
      [join(root, 'pipe.mkv'), 'not_a_regular_file'],
      [join(root, 'folder.mkv'), 'not_a_regular_file'],
      [join(root, 'secret.mkv'), 'path_outside_root'],
      [`${root}/../secret`, 'path_outside_root'],
      [join(folder, 'library2/b.mkv'), 'path_outside_root'],
      ['a.mkv', 'path_outside_root'],
      ['', 'path_outside_root'],
      [join(root, 'gone.mkv'), 'file_not_found'],
      [join(root, 'dangling.mkv'), 'file_not_found'],
      [join(root, 'nul\0.mkv'), 'file_not_found'],
    ]
    for (const [path, code] of refusals) t.throws(() => openByteSource(createBufferPool(), root, path), { code }, path)
    t.throws(() => openByteSource(createBufferPool(), '/dev', '/dev/zero'), { code: 'not_a_regular_file' }, 'a device')
    const linked = openByteSource(createBufferPool(), root, join(root, 'link.mkv'))
    t.equal(Buffer.from(linked.read(0, 4)).toString(), 'film', 'a link that stays inside')
    linked.close()
    t.equal(readdirSync('/proc/self/fd').length, before)
    t.end()
  },
)

void t.test('a file that may not be read is unreadable, not missing', async (t) => {
  const root = reachableDirectory(t)
  writeFileSync(join(root, 'film.mkv'), 'film')
  chmodSync(join(root, 'film.mkv'), 0)
  await t.rejects(
    asUnprivilegedUser(async () => openByteSource(createBufferPool(), root, join(root, 'film.mkv'))),
    { code: 'file_unreadable' },
  )
})

void t.test('an open source keeps its file when the name is reused', (t) => {
  const { source, path } = opened(t)
  writeFileSync(`${path}.new`, 'other')
  renameSync(`${path}.new`, path)
  t.equal(source.read(0, 3).length, 3)
  t.equal(Buffer.compare(source.read(60_000, 8), BYTES.subarray(60_000, 60_008)), 0)
  t.end()
})

void t.test('buffers are reused for the next file without exposing the previous content', (t) => {
  const root = t.testdir({ 'long.mkv': 'a'.repeat(60_000), 'short.mkv': 'b'.repeat(10) })
  const pool = createBufferPool()
  const long = openByteSource(pool, root, join(root, 'long.mkv'))
  const seen = long.read(0, 60_000)
  t.equal(seen.length, 60_000)
  long.close()
  long.close()
  const sources = ['short.mkv', 'short.mkv'].map((name) => openByteSource(pool, root, join(root, name)))
  const heads = sources.map((source) => source.read(0, 60_000))
  t.strictSame(
    heads.map((bytes) => Buffer.from(bytes).toString()),
    ['b'.repeat(10), 'b'.repeat(10)],
  )
  t.equal(heads[0]?.buffer, seen.buffer, 'the buffer of the closed file')
  t.not(heads[0]?.buffer, heads[1]?.buffer, 'two open files share nothing')
  for (const source of sources) source.close()
  t.end()
})
