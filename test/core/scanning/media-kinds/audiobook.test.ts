import t from 'tap'
import { audiobookKind, audiobookGroup } from '../../../../src/core/scanning/media-kinds/audiobook.ts'
import type { FolderContents } from '../../../../src/core/scanning/media-kinds/media-kind.ts'

function plan(pathInsideRoot: string, names: string[]) {
  const folder: FolderContents = { pathInsideRoot, names }
  return audiobookKind.planFolder(folder)
}

void t.test('one file is a book, several are its parts, and disc folders belong to the folder above', (t) => {
  const one = plan('Ann/Book', ['a.m4b'])
  t.match(one.files.get('a.m4b'), { as: 'audiobook', role: null, groups: [], identification: { name: 'Book' } })
  t.equal(one.group, null)
  const two = plan('Ann/Book', ['a.mp3', 'b.mp3'])
  t.match(two.files.get('a.mp3'), {
    role: { kind: 'part', of: 'group' },
    groups: [{ type: 'audiobook', key: 'ann/book' }],
  })
  const disc = plan('Ann/Book/CD 1', ['a.mp3'])
  t.match(disc.files.get('a.mp3'), { role: { kind: 'part' }, groups: [{ key: 'ann/book', name: 'Book' }] })
  t.match(plan('Ann/Book', ['cover.jpg']).group, { key: 'ann/book' }, 'so a folder above discs knows whose it is')
  const root = plan('', ['One.m4b', 'Two.m4b'])
  t.match([...root.files.values()], [{ role: null, identification: { name: 'One' } }, { role: null }])
  t.equal(root.group, null)
  t.end()
})

void t.test('the path gives title, author, series and more', (t) => {
  t.match(audiobookGroup('Ann Author & Bea Author/Saga/Book 2 - 1994 - Title - Sub {Rita}'), {
    name: 'Title',
    year: 1994,
    metadata: {
      authors: ['Ann Author', 'Bea Author'],
      author: 'Ann Author, Bea Author',
      narrator: 'Rita',
      narrators: ['Rita'],
      series: 'Saga',
      series_part: '2',
      subtitle: 'Sub',
    },
  })
  t.equal(audiobookGroup('Ann/Book').key, audiobookGroup('ANN/BOOK/Disk 003').key)
  t.not(
    audiobookGroup('Ann/Book {Rita}').key,
    audiobookGroup('Ann/Book {Tim}').key,
    'readings by two people are two books',
  )
  t.equal(
    audiobookGroup(`${'x'.repeat(250)}/${'ß'.repeat(250)}/${'y'.repeat(250)}`).key.length,
    64,
    'within what an index holds',
  )
  t.end()
})

void t.test('the sidecars of a book have a fixed order of precedence, regardless of their names', (t) => {
  const names = [
    'a.m4b',
    'a.cue',
    'desc.txt',
    'metadata.json',
    'metadata.opf',
    'reader.txt',
    'z.nfo',
    'cover.png',
    'back.jpg',
  ]
  const alone = plan('Ann/Book', names)
  t.strictSame(alone.files.get('a.m4b')?.sidecars, [
    'a.cue',
    'z.nfo',
    'desc.txt',
    'reader.txt',
    'metadata.opf',
    'metadata.json',
  ])
  t.strictSame(alone.companions, [{ name: 'cover.png', kind: 'poster', of: null, details: {} }])
  const several = plan('Ann/Book', [...names, 'b.m4b'])
  t.strictSame(several.files.get('a.m4b')?.sidecars, [])
  t.strictSame(
    several.companions.map(({ name, kind }) => `${kind} ${name}`),
    ['poster cover.png', 'nfo z.nfo', 'nfo desc.txt', 'nfo reader.txt', 'nfo metadata.opf', 'nfo metadata.json'],
  )
  t.strictSame(plan('', names).files.get('a.m4b')?.sidecars, ['a.cue'])
  t.end()
})
