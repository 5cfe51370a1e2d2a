import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createFileStore, type FileStore } from '../../../../src/core/platform/files/file-store.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { contentOf, isAllWhole, killWriter, type StoreContent } from './killed-writer.ts'

const nameOf = (index: number): string => createHash('sha256').update(`${index}`).digest('hex')
const pathOf = (directory: string, index: number): string =>
  join(directory, nameOf(index).slice(0, 2), nameOf(index).slice(2))

async function makeStore(
  t: Test,
  options: { limitBytes?: number; floorBytes?: number; directory?: string } = {},
): Promise<{ store: FileStore; directory: string; lines: string[] }> {
  const directory = options.directory ?? join(reachableDirectory(t), 'cache', 'artwork')
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = await createLogger(loadConfig({ environment: {} }), { destination })
  const { limitBytes = 1_000_000, floorBytes = 0 } = options
  return { directory, lines, store: createFileStore({ directory, limitBytes, floorBytes, clock: systemClock, log }) }
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

const bytesIn = (directory: string): number => filesIn(directory).reduce((sum, path) => sum + statSync(path).size, 0)

void t.test('a written file can be read, also by another process', async (t) => {
  const { store, directory } = await makeStore(t)
  t.equal(await store.read(nameOf(1)), undefined)
  await store.write(nameOf(1), Buffer.from('one'))
  await store.write(`${nameOf(1)}.original`, Buffer.from('other'))
  t.equal(String((await store.read(nameOf(1)))?.bytes), 'one')
  const { store: second } = await makeStore(t, { directory })
  t.equal(String((await second.read(`${nameOf(1)}.original`))?.bytes), 'other')
  t.strictSame(
    filesIn(directory).filter((path) => path.endsWith('.part')),
    [],
  )
})

void t.test('names must be hashes; others are neither read nor written', async (t) => {
  const { store, directory } = await makeStore(t)
  for (const name of [
    '',
    '../x',
    `${nameOf(1)}/../x`,
    'AB',
    `${nameOf(1)}.`,
    `${nameOf(1)}.ORIGINAL`,
    `${nameOf(1)}\n`,
  ]) {
    t.throws(() => store.read(name), RangeError, name)
    await t.rejects(store.write(name, Buffer.from('x')), RangeError)
  }
  t.throws(() => statSync(directory))
})

void t.test('thousands of pictures do not exceed the limit, and the most recently used remain (IM-03)', async (t) => {
  const { store, directory } = await makeStore(t, { limitBytes: 200_000 })
  const bytes = Buffer.alloc(1000, 1)
  const old = new Date(Date.now() - 10 * 24 * 3600 * 1000)
  for (let index = 0; index < 150; index += 1) {
    await store.write(nameOf(index), bytes)
    utimesSync(pathOf(directory, index), old, old)
  }
  for (let index = 0; index < 20; index += 1) await store.read(nameOf(index))
  for (let start = 150; start < 3000; start += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => store.write(nameOf(start + index), bytes)))
    if (start % 1000 === 150) t.ok(bytesIn(directory) <= 250_000, `${start}: ${bytesIn(directory)}`)
    for (let index = 0; index < 20 && start < 250; index += 1) {
      t.ok((await store.read(nameOf(index))) !== undefined, `${index} was read`)
    }
  }
  t.ok(bytesIn(directory) <= 200_000, `${bytesIn(directory)}`)
})

void t.test('partial files of a killed process or a power failure are never read, and are removed', async (t) => {
  const { store, directory } = await makeStore(t, { limitBytes: 100_000 })
  const folder = join(directory, nameOf(1).slice(0, 2))
  mkdirSync(folder, { recursive: true })
  const stale = join(folder, '01234567-89ab-cdef-0123-456789abcdef.part')
  const fresh = join(folder, '11234567-89ab-cdef-0123-456789abcdef.part')
  writeFileSync(stale, 'half a pict')
  writeFileSync(fresh, 'half a pict')
  utimesSync(stale, new Date(0), new Date(0))
  writeFileSync(pathOf(directory, 1), '')
  t.equal(await store.read(nameOf(1)), undefined)
  await store.write(nameOf(2), Buffer.from('two'))
  t.strictSame(
    filesIn(directory).filter((path) => path.endsWith('.part')),
    [fresh],
  )
  await store.write(nameOf(1), Buffer.from('one'))
  t.equal(String((await store.read(nameOf(1)))?.bytes), 'one')
})

void t.test('a full disk or a missing folder stores nothing and causes no error', async (t) => {
  const full = await makeStore(t, { floorBytes: Number.MAX_SAFE_INTEGER })
  await full.store.write(nameOf(1), Buffer.from('one'))
  t.equal(await full.store.read(nameOf(1)), undefined)
  const file = join(reachableDirectory(t), 'file')
  writeFileSync(file, '')
  const { store } = await makeStore(t, { directory: join(file, 'artwork') })
  await store.write(nameOf(1), Buffer.from('one'))
  t.equal(await store.read(nameOf(1)), undefined)
})

void t.test(
  'a disk that is full, without inodes or read-only has complete files or none, and a warning is logged (F-09, F-11)',
  async (t) => {
    const mount = (...words: string[]): boolean => spawnSync('mount', words, { stdio: 'ignore' }).status === 0
    for (const [options, worse, well, reason] of [
      // A lack of space is not an error: no write is attempted.
      ['size=64k', undefined, 'remount,size=1m', undefined],
      ['size=1m,nr_inodes=16', undefined, 'remount,nr_inodes=1000', /ENOSPC/],
      ['size=1m', 'remount,ro', 'remount,rw', /EROFS/],
    ] as const) {
      const directory = join(reachableDirectory(t), 'artwork')
      mkdirSync(directory)
      if (!mount('-t', 'tmpfs', '-o', options, 'phlix-test', directory)) {
        t.comment('this account may not mount')
        return
      }
      t.teardown(() => spawnSync('umount', ['-l', directory], { stdio: 'ignore' }))
      const { store, lines } = await makeStore(t, { directory })
      const bytes = Buffer.alloc(10_000, 1)
      await store.write(nameOf(0), bytes)
      if (worse !== undefined) mount('-o', worse, directory)
      for (let index = 1; index < 20; index += 1) await store.write(nameOf(index), bytes)
      const kept = await Promise.all(Array.from({ length: 20 }, (_, index) => store.read(nameOf(index))))
      t.ok(kept[0]?.bytes.equals(bytes), `${options}: cached bytes are served`)
      t.ok(
        kept.some((file) => file === undefined),
        'not all files were stored',
      )
      t.ok(
        kept.every((file) => file === undefined || file.bytes.equals(bytes)),
        'nothing empty, nothing cut',
      )
      t.notOk(
        filesIn(directory).some((path) => path.endsWith('.part')),
        'no partial file remains',
      )
      if (reason === undefined) t.strictSame(lines, [], options)
      else
        t.match(JSON.parse(lines[0] ?? '{}'), { msg: 'a file could not be cached', path: directory, reason }, options)
      mount('-o', well, directory)
      await store.write(nameOf(30), bytes)
      t.ok((await store.read(nameOf(30)))?.bytes.equals(bytes), 'with room again it keeps')
    }
  },
)

/** The moment at which the process is killed. `npm run soak -- killed-writers` kills at random moments. */
const MOMENTS: readonly { moment: string; isSo: (content: StoreContent) => boolean }[] = [
  { moment: 'while it writes its first files', isSo: ({ unfinished }) => unfinished.length > 0 },
  { moment: 'when its first file is whole', isSo: ({ whole }) => whole.length > 0 },
  { moment: 'while some files are whole and others are written', isSo: hasBoth },
  { moment: 'when many files are whole', isSo: ({ whole }) => whole.length >= 20 },
]

function hasBoth({ whole, unfinished }: StoreContent): boolean {
  return whole.length > 0 && unfinished.length > 0
}

void t.test('a process that is killed while it writes leaves only complete files visible', async (t) => {
  for (const [seed, { moment, isSo }] of MOMENTS.entries()) {
    const directory = join(reachableDirectory(t), 'artwork')
    await killWriter(directory, { seed, moment: () => waitUntil(moment, () => isSo(contentOf(directory))) })
    await t.test(moment, (t) => isAllWhole(t, directory))
  }
})
