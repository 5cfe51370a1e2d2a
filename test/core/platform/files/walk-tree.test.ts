import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import t from 'tap'
import { walkTree, type WalkedFolder, type WalkOptions } from '../../../../src/core/platform/files/walk-tree.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

const walked = (root: string, options?: WalkOptions): WalkedFolder[] => [...walkTree(root, options)]

/** Paths of all files and `code path` of all problems, relative to the root. */
function summary(root: string): { files: string[]; problems: string[] } {
  const folders = walked(root)
  const from = root.length + 1
  return {
    files: folders.flatMap(({ files }) => files.map(({ path }) => path.slice(from))),
    problems: folders.flatMap(({ problems }) => problems.map(({ code, path }) => `${code} ${path.slice(from)}`)),
  }
}

function writeTree(root: string, paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
}

void t.test(
  'folders are returned one by one, depth first, sorted by name, with size and time of each file',
  async (t) => {
    const root = t.testdir({ b: { 'film.mkv': 'abc' }, a: { z: { 'deep.mkv': '' }, 'a.mkv': '' }, 'top.mkv': '' })
    utimesSync(join(root, 'b/film.mkv'), 1, 1_700_000_000.5)
    const folders = walked(`${root}//`)
    t.strictSame(
      folders.map(({ path }) => path),
      [root, join(root, 'a'), join(root, 'a/z'), join(root, 'b')],
    )
    t.strictSame(folders.at(-1)?.files, [
      {
        path: join(root, 'b/film.mkv'),
        name: 'film.mkv',
        sizeBytes: 3,
        modifiedAtNanoseconds: 1_700_000_000_500_000_000n,
      },
    ])
    t.ok(folders.every(({ isComplete, isIgnored, problems }) => isComplete && !isIgnored && problems.length === 0))
  },
)

void t.test('only wanted files are examined', async (t) => {
  const root = t.testdir({ 'film.mkv': '', 'film.nfo': '', 'poster.jpg': '' })
  const folders = walked(root, { kinds: ['video'] })
  t.strictSame(
    folders.flatMap(({ files }) => files.map(({ name }) => name)),
    ['film.mkv'],
  )
})

void t.test('unusual names are returned unchanged', async (t) => {
  const root = t.testdir()
  const names = [
    '-i.mp4',
    '--help.mkv',
    'concat:a|b.mp4',
    'http:evil.mkv',
    'pic%d.mp4',
    'a"b.mkv',
    "a'b.mkv",
    'a\\b.mkv',
    'a$(id).mkv',
    'a`id`.mkv',
    'a\nb.mkv',
    'a\u001B[2Jb.mkv',
    'caf\u00E9.mkv',
    'cafe\u0301.mkv',
    '\u202Egnp.mkv',
    '🎬.mkv',
    '__proto__.mkv',
    'trailing .mkv ',
    'trailing.mkv.',
    'really \uFFFD.mkv',
    `${'x'.repeat(251)}.mkv`,
  ]
  writeTree(root, names)
  const { files, problems } = summary(root)
  t.strictSame(files.toSorted(), names.toSorted())
  t.strictSame(problems, [])
})

void t.test('a name that is not UTF-8 is reported, its neighbours are not', async (t) => {
  const root = reachableDirectory(t)
  writeTree(root, ['good.mkv', 'really \uFFFD.mkv'])
  const broken = (name: number[]): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)])
  writeFileSync(broken([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x6d, 0x6b, 0x76]), '')
  mkdirSync(broken([0xff, 0xfe]))
  const [folder] = walked(root)
  t.strictSame(folder?.files.map(({ name }) => name).toSorted(), ['good.mkv', 'really \uFFFD.mkv'])
  t.strictSame(
    folder?.problems.map(({ code, reason }) => `${code}: ${reason}`),
    ['invalid_name: name is not UTF-8', 'invalid_name: name is not UTF-8'],
  )
  t.ok(folder?.isComplete, 'the folder was listed completely')
})

void t.test('links are followed inside the root and nowhere else (FN-04)', async (t) => {
  const folder = t.testdir({ library: { films: { a: { 'a.mkv': '' } } }, other: { 'secret.mkv': '' } })
  const root = join(folder, 'library')
  symlinkSync('films/a', join(root, 'favourites'))
  symlinkSync('films/a/a.mkv', join(root, 'link.mkv'))
  symlinkSync('films/a/a.mkv', join(root, 'judged-by-target'))
  symlinkSync(join(folder, 'other'), join(root, 'outside'))
  symlinkSync('/etc/passwd', join(root, 'passwd.mkv'))
  symlinkSync('..', join(root, 'films/up'))
  symlinkSync('.', join(root, 'films/a/self'))
  symlinkSync('nowhere', join(root, 'dangling.mkv'))
  symlinkSync('loop.mkv', join(root, 'loop.mkv'))
  const { files, problems } = summary(root)
  t.strictSame(files.toSorted(), ['favourites/a.mkv', 'films/a/a.mkv', 'judged-by-target', 'link.mkv'])
  t.strictSame(problems.toSorted(), [
    'dangling_link dangling.mkv',
    'dangling_link loop.mkv',
    'link_loop favourites/self',
    'link_loop films/a/self',
    'link_loop films/up',
    'link_outside_root outside',
    'link_outside_root passwd.mkv',
  ])
})

void t.test('the walk of folders that link to each other ends (FN-04)', async (t) => {
  const root = t.testdir()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const name of names) {
    mkdirSync(join(root, name))
    for (const other of names) if (other !== name) symlinkSync(`../${other}`, join(root, name, `to-${other}`))
  }
  const folders = walked(root)
  t.ok(folders.length <= 10_000 + names.length + 1, `${folders.length} folders`)
  t.ok(
    folders.some(({ problems, isComplete }) => !isComplete && problems.some(({ code }) => code === 'too_many_links')),
    'the limit is reported',
  )
})

void t.test('pipes, sockets and devices are reported and never opened (FN-04)', async (t) => {
  const root = reachableDirectory(t)
  writeTree(root, ['film.mkv'])
  execFileSync('mkfifo', [join(root, 'pipe.mp3')])
  symlinkSync('pipe.mp3', join(root, 'link-to-pipe.mp3'))
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(join(root, 'socket.mkv'), resolve)
  })
  t.teardown(() => server.close())
  const { files, problems } = summary(root)
  t.strictSame(files, ['film.mkv'])
  t.strictSame(problems, [
    'not_a_regular_file link-to-pipe.mp3',
    'not_a_regular_file pipe.mp3',
    'not_a_regular_file socket.mkv',
  ])
})

void t.test('an empty ignore file hides a folder and everything below it, and is reported', async (t) => {
  const root = t.testdir({
    seen: { 'film.mkv': '', '.ignore': '*.txt\n' },
    hidden: { 'film.mkv': '', '.nomedia': '', below: { 'film.mkv': '' } },
    blank: { 'film.mkv': '', '.ignore': '\n' },
  })
  const folders = walked(root)
  const hidden = folders.filter(({ isIgnored }) => isIgnored)
  t.strictSame(
    hidden.map(({ path, isComplete, files }) => [path, isComplete, files.length]),
    [
      [join(root, 'blank'), false, 0],
      [join(root, 'hidden'), false, 0],
    ],
    'nothing below may be treated as absent',
  )
  t.strictSame(summary(root).files, ['seen/film.mkv'])
})

void t.test('patterns in an ignore file skip what they match, in the folder and below it', async (t) => {
  const root = t.testdir({
    '.ignore': '# drafts\n*.avi\n/old/\n!keep.avi\n',
    'a.avi': '',
    'a.mkv': '',
    'keep.avi': '',
    old: { 'x.mkv': '' },
    new: { old: { 'y.mkv': '' }, 'b.avi': '', '.plexignore': 'c.mkv\n', 'c.mkv': '' },
    'c.mkv': '',
  })
  t.strictSame(summary(root).files.toSorted(), ['a.mkv', 'c.mkv', 'keep.avi', 'new/old/y.mkv'])
})

void t.test('files directly in a sample folder are skipped, folders in it are not', async (t) => {
  const root = t.testdir({ film: { Sample: { 'x.mkv': '', 'x.nfo': '', extended: { 'y.mkv': '' } } } })
  t.strictSame(summary(root).files, ['film/Sample/x.nfo', 'film/Sample/extended/y.mkv'])
})

void t.test('a tree that is too deep is truncated and marked as incomplete', async (t) => {
  const root = t.testdir()
  const deep = Array.from({ length: 70 }, () => 'd').join('/')
  writeTree(root, [`${deep}/film.mkv`])
  const last = walked(root).at(-1)
  t.equal(last?.isComplete, false)
  t.equal(last?.problems[0]?.code, 'too_deep')
})

void t.test('an unreadable folder is marked as incomplete and the walk continues', async (t) => {
  const root = reachableDirectory(t)
  writeTree(root, ['a/locked/film.mkv', 'b/film.mkv'])
  chmodSync(join(root, 'a/locked'), 0)
  const folders = await asUnprivilegedUser(async () => walked(root))
  t.strictSame(
    folders.map(({ path, files, isComplete, problems }) => [
      path,
      files.length,
      isComplete,
      problems.map(({ code }) => code).join(' '),
    ]),
    [
      [root, 0, true, ''],
      [join(root, 'a'), 0, true, ''],
      [join(root, 'a/locked'), 0, false, 'EACCES'],
      [join(root, 'b'), 1, true, ''],
    ],
  )
})

void t.test('a root that cannot be listed ends the walk with an error', async (t) => {
  const root = t.testdir({ file: '' })
  for (const path of [join(root, 'gone'), join(root, 'file')]) {
    t.throws(() => walked(path), { code: 'folder_unavailable', kind: 'unavailable' }, path)
  }
})

void t.test('inner folders list the files of wanted kinds above them with their own', (t) => {
  const root = t.testdir({
    'root.nfo': '',
    CD9: { 'a.mkv': '' },
    Film: {
      'movie.nfo': 'x',
      'b.mkv': '',
      'c.srt': '',
      Other: { 'd.mkv': '' },
      CD1: { 'e.mkv': '', 'own.nfo': '', CD2: { 'f.mkv': '' } },
      CD3: { '.ignore': '', 'g.mkv': '' },
    },
  })
  const names = (options?: WalkOptions) =>
    Object.fromEntries(
      walked(root, options).map(({ path, files }) => [path.slice(root.length), files.map(({ name }) => name)]),
    )
  const own = {
    '': ['root.nfo'],
    '/CD9': ['a.mkv'],
    '/Film': ['b.mkv', 'c.srt', 'movie.nfo'],
    '/Film/CD1': ['e.mkv', 'own.nfo'],
    '/Film/CD1/CD2': ['f.mkv'],
    '/Film/CD3': [],
    '/Film/Other': ['d.mkv'],
  }
  t.strictSame(names(), own)
  const inner = { names: /^cd\d$/i, kinds: ['sidecar'] as const }
  t.strictSame(names({ inner }), {
    ...own,
    '/CD9': ['a.mkv', '../root.nfo'],
    '/Film/CD1': ['e.mkv', 'own.nfo', '../movie.nfo'],
    '/Film/CD1/CD2': ['f.mkv', '../own.nfo', '../../movie.nfo'],
  })
  const above = walked(root, { inner }).flatMap(({ files }) => files.filter(({ name }) => name === '../movie.nfo'))
  t.match(above, [{ path: join(root, 'Film/movie.nfo'), sizeBytes: 1 }])
  t.end()
})
