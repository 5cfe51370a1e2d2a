import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { isIgnoredName, isSampleName } from '../../../../src/core/platform/files/index.ts'
import { walkTree } from '../../../../src/core/platform/files/walk-tree.ts'
import { rowsOf } from '../../../support/naming-rows.ts'

const FOLDERS: [name: string, ignored: boolean][] = [
  ['@eaDir', true],
  ['#recycle', true],
  ['$RECYCLE.BIN', true],
  ['System Volume Information', true],
  ['lost+found', true],
  ['.Trash-1000', true],
  ['._Film', true],
  ['Film.trickplay', true],
  ['extrafanart', true],
  ['Subs', true],
  ['.hiddendir', false],
  ['Foo B.A.R.', false],
  ['...Album', false],
  ['Sample', false],
  ['Metadata Story', false],
]

const FILES: [name: string, ignored: boolean][] = [
  ['.hiddenfile.mp4', true],
  ['._macjunk.mp4', true],
  ['.DS_Store', true],
  ['Thumbs.db', true],
  ['small.jpg', true],
  ['sample.mkv', true],
  ['300.Sample.mkv', true],
  ['The DNA Sample.mkv', false],
  ['sample.flac', false],
  ['film.mkv.part', true],
  ['film.mkv.!qB', true],
  ['film.mkv.crdownload', true],
  ['film.tmp', true],
  ['film.partial~', true],
  ['film.mkv', false],
  ['part.mkv', false],
  ['temp.mkv', false],
]

void t.test('names that never hold media are skipped, case-insensitively', (t) => {
  for (const [name, ignored] of FOLDERS) t.equal(isIgnoredName(name, true), ignored, `folder ${name}`)
  for (const [name, ignored] of FILES) t.equal(isIgnoredName(name, false), ignored, `file ${name}`)
  t.equal(isSampleName('The Sample.mkv'), false, 'a film may be called The Sample')
  t.end()
})

type Row = { path: string; ignored: boolean; src: string }

void t.test('the walk skips the names of the collected test cases', async (t) => {
  const rows = rowsOf<Row>('ignore_paths')
  for (const row of rows) {
    const root = t.testdir()
    const isFolder = /\/[@.][^/.]+$/.test(row.path)
    const file = join(root, isFolder ? `${row.path}/film.mkv` : row.path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const found: string[] = []
    for (const folder of walkTree(root)) found.push(...folder.files.map(({ path }) => path))
    t.strictSame(found, row.ignored ? [] : [file], row.path)
  }
})
