import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { findMediaFolders } from '../../scripts/quickstart/media-folders.ts'

const NAMES: readonly [folder: string, type: string][] = [
  ['Movies', 'movie'],
  ['films', 'movie'],
  ['TV', 'series'],
  ['TV Shows', 'series'],
  ['tv-series', 'series'],
  ['Music', 'music'],
  ['AUDIOBOOKS', 'audiobook'],
  ['Audio.Books', 'audiobook'],
  ['Photos', 'photo'],
  ['Pictures', 'photo'],
  ['Books', 'book'],
  ['Home Videos', 'video'],
  ['Bu\u0308cher', 'book'],
]

for (const [folder, type] of NAMES) {
  void t.test(`a folder named ${folder} is a ${type} library`, async (t) => {
    const root = t.testdir({ [folder]: {} })
    t.strictSame(findMediaFolders(root), {
      folders: [{ name: folder, type, path: join(root, folder) }],
      unrecognised: [],
    })
  })
}

void t.test('without a folder of a known name everything is one movie library', async (t) => {
  const root = t.testdir({ Alien: {}, Brazil: {} })
  t.strictSame(findMediaFolders(root), {
    folders: [{ name: basename(root), type: 'movie', path: root }],
    unrecognised: [],
  })
})

void t.test('folders beside recognised ones are named, files and hidden folders are not', async (t) => {
  const root = t.testdir({ Movies: {}, Downloads: {}, '.Trash': {} })
  writeFileSync(join(root, 'Music'), 'a file')
  const { folders, unrecognised } = findMediaFolders(root)
  t.strictSame(
    folders.map(({ name }) => name),
    ['Movies'],
  )
  t.strictSame(unrecognised, ['Downloads'])
})

void t.test('a link to a folder counts, because media often lie on another disk; a dead link does not', async (t) => {
  const top = t.testdir({ disk: {}, media: {} })
  const root = join(top, 'media')
  symlinkSync(join(top, 'disk'), join(root, 'Movies'))
  symlinkSync(join(top, 'gone'), join(root, 'Music'))
  t.strictSame(findMediaFolders(root).folders, [{ name: 'Movies', type: 'movie', path: join(root, 'Movies') }])
})
