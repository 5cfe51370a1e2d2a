import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import {
  createDiskThreads,
  startWalk,
  type FolderBatch,
  type FolderListing,
  type WalkedFile,
} from '../../../../src/core/platform/files/index.ts'
import { mountThatHangs } from '../../../support/hanging-mount.ts'

const services = { diskThreads: createDiskThreads() }
const never = new AbortController().signal

type Found = { folders: FolderListing[]; files: WalkedFile[] }

/** A complete walk that requests the files of all folders, or of those for which `isWanted` is true. */
async function walked(root: string, isWanted: (folder: FolderListing) => boolean = () => true): Promise<Found> {
  const found: Found = { folders: [], files: [] }
  for await (const batch of startWalk(services, { root, kinds: ['video'], signal: never }))
    await take(batch, found, isWanted)
  return found
}

async function take(batch: FolderBatch, found: Found, isWanted: (folder: FolderListing) => boolean): Promise<void> {
  found.folders.push(...batch.folders)
  const indexes = batch.folders.flatMap((folder, index) => (isWanted(folder) ? [index] : []))
  for (const files of await batch.filesOf(indexes)) found.files.push(...files)
}

function writeTree(root: string, folders: number, filesPerFolder: number): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `${folder}`.padStart(5, '0'))
    mkdirSync(path)
    for (let file = 0; file < filesPerFolder; file += 1) writeFileSync(join(path, `${file}.mkv`), 'x'.repeat(file % 7))
  }
}

void t.test('folders have their hash and count, files are sent only for requested folders', async (t) => {
  const root = t.testdir({ a: { '1.mkv': 'x', '2.mkv': 'yy', 'n.nfo': '' }, b: { '3.mkv': '' } })
  const all = await walked(root)
  t.strictSame(
    all.folders.map(({ path, fileCount, isComplete }) => [path.slice(root.length), fileCount, isComplete]),
    [
      ['', 0, true],
      ['/a', 2, true],
      ['/b', 1, true],
    ],
  )
  t.match(all.files, [
    { name: '1.mkv', path: join(root, 'a/1.mkv'), sizeBytes: 1, modifiedAtNanoseconds: BigInt },
    { name: '2.mkv', sizeBytes: 2 },
    { name: '3.mkv', sizeBytes: 0 },
  ])
  const some = await walked(root, ({ path }) => path.endsWith('/b'))
  t.strictSame(
    some.files.map(({ name }) => name),
    ['3.mkv'],
  )
})

void t.test('a listing has the same hash until a name, size or time in it changes', async (t) => {
  const root = t.testdir({ a: { '1.mkv': 'x' } })
  const hashOf = async (): Promise<string | undefined> =>
    (await walked(root)).folders.at(-1)?.listingHash.toString('hex')
  const before = await hashOf()
  t.equal(await hashOf(), before)
  writeFileSync(join(root, 'a/note.txt'), 'not wanted')
  t.equal(await hashOf(), before)
  writeFileSync(join(root, 'a/1.mkv'), 'xy')
  const changed = await hashOf()
  t.not(changed, before)
  writeFileSync(join(root, 'a/2.mkv'), '')
  t.not(await hashOf(), changed)
})

void t.test('thousands of folders arrive in order and none is lost with a slow consumer', async (t) => {
  const root = t.testdir()
  writeTree(root, 1500, 3)
  const found: Found = { folders: [], files: [] }
  for await (const batch of startWalk(services, { root, kinds: ['video'], signal: never })) {
    for (let turns = 0; turns < 20; turns += 1) await turn()
    await take(batch, found, () => true)
  }
  t.equal(found.folders.length, 1501)
  t.equal(found.files.length, 4500)
  const paths = found.folders.map(({ path }) => path)
  t.strictSame(paths, paths.toSorted())
})

void t.test('a folder that cannot be listed ends the walk with an error, and so does its signal', async (t) => {
  const root = t.testdir({ file: '' })
  await t.rejects(walked(join(root, 'gone')), { code: 'folder_unavailable' })
  await t.rejects(walked(join(root, 'file')), { code: 'folder_unavailable' })
  const stop = new AbortController()
  await t.rejects(async () => {
    for await (const batch of startWalk(services, { root, kinds: ['video'], signal: stop.signal })) {
      await batch.filesOf([])
      stop.abort(new Error('enough'))
    }
  }, /enough/)
})

void t.test('the calling thread is not blocked while a large folder is walked', async (t) => {
  const root = t.testdir()
  writeTree(root, 1, 6000)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const { files } = await walked(root)
  clearInterval(timer)
  t.equal(files.length, 6000)
  t.ok(turns > 0)
})

void t.test('a mount that hangs blocks only its thread, and is abandoned after a time (F-14)', async (t) => {
  const folder = mountThatHangs(t)
  if (folder === undefined) {
    t.comment('this account may not mount')
    return
  }
  let turns = 0
  const timer = setInterval(() => (turns += 1), 5)
  const walk = startWalk(services, { root: folder, kinds: ['video'], signal: never, silenceLimitMilliseconds: 500 })
  await t.rejects(walk.next(), { code: 'folder_unavailable', message: /has not answered for 0\.5 s/ })
  clearInterval(timer)
  t.ok(turns > 0, `${turns} turns of the event loop meanwhile`)
})

void t.test(
  'the hash of an inner folder changes with the files of its parent, which have their own paths',
  async (t) => {
    const root = t.testdir({ Film: { 'movie.nfo': 'x', CD1: { 'a.mkv': '' }, Other: { 'b.mkv': '' } } })
    const walk = async () => {
      const hashes: string[] = []
      const files: string[] = []
      const inner = { names: /^cd1$/i, kinds: ['sidecar'] as const }
      for await (const batch of startWalk(services, { root, kinds: ['video', 'sidecar'], inner, signal: never })) {
        hashes.push(...batch.folders.map(({ listingHash }) => listingHash.toString('hex')))
        files.push(...(await batch.filesOf([...batch.folders.keys()])).flat().map(({ path }) => path))
      }
      return { hashes, files }
    }
    const first = await walk()
    const paths = ['Film/movie.nfo', 'Film/CD1/a.mkv', 'Film/movie.nfo', 'Film/Other/b.mkv']
    t.strictSame(
      first.files,
      paths.map((path) => join(root, path)),
    )
    writeFileSync(join(root, 'Film/movie.nfo'), 'longer')
    const second = await walk()
    t.strictSame(
      first.hashes.map((hash, at) => hash === second.hashes[at]),
      [true, false, false, true],
    )
  },
)
