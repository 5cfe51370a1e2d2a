import t from 'tap'
import { assembleMultiFileBook, type BookPart } from '../../../src/core/audiobooks/multi-file-book.ts'
import { chaptersFromMarks } from '../../../src/core/audiobooks/chapter-marks.ts'

function part(path: string, more: Partial<BookPart> = {}): BookPart {
  return {
    id: path,
    path: `/books/${path}`,
    name: path,
    durationSeconds: 10,
    chapters: [],
    tags: {},
    discTag: null,
    trackTag: null,
    isMissing: false,
    canonicalKey: path,
    ...more,
  }
}

void t.test(
  'files are played by disc, track, number and name; a tag that one of them lacks is ignored for all',
  (t) => {
    const order = (parts: BookPart[]) => assembleMultiFileBook(parts, []).order
    t.strictSame(order([part('a10'), part('a9'), part('a1')]), ['a1', 'a9', 'a10'])
    t.strictSame(order([part('a', { trackTag: 2 }), part('b', { trackTag: 1 })]), ['b', 'a'])
    t.strictSame(order([part('a', { trackTag: 2 }), part('b')]), ['a', 'b'])
    t.strictSame(order([part('a', { discTag: 2, trackTag: 1 }), part('b', { discTag: 1, trackTag: 2 })]), ['b', 'a'])
    t.strictSame(order([part('CD 2/1'), part('CD 10/1'), part('CD 1/1')]), ['CD 1/1', 'CD 2/1', 'CD 10/1'])
    t.end()
  },
)

void t.test('chapters cover the whole book, one for each file without chapters', (t) => {
  const marked = [
    { startSeconds: 0, endSeconds: 4, title: 'x' },
    { startSeconds: 4, endSeconds: 10, title: null },
  ]
  const book = assembleMultiFileBook(
    [part('1'), part('2', { chapters: marked }), part('3', { durationSeconds: null }), part('4')],
    [],
  )
  t.equal(book.durationSeconds, 30)
  t.strictSame(book.chapters, [
    { startSeconds: 0, endSeconds: 10, title: '1' },
    { startSeconds: 10, endSeconds: 14, title: 'x' },
    { startSeconds: 14, endSeconds: 20, title: null },
    { startSeconds: 20, endSeconds: 30, title: '4' },
  ])
  t.end()
})

void t.test('tags name the book if they agree, and the first value of each key counts', (t) => {
  const one = part('1', { tags: { album: 'A', narrator: 'N', track_number: 1 } })
  t.match(assembleMultiFileBook([one, part('2', { tags: { album: 'A', author: 'B', year: 1999 } })], []), {
    title: 'A',
    year: 1999,
    tags: { album: 'A', narrator: 'N', author: 'B' },
  })
  t.notOk('track_number' in assembleMultiFileBook([one], []).tags)
  t.equal(assembleMultiFileBook([one, part('2', { tags: { album: 'A 2' } })], []).title, null)
  t.equal(assembleMultiFileBook([one, part('2')], []).title, null)
  t.end()
})

void t.test(
  'a file that is missing at one path and present at another counts once; one that is only missing still counts',
  (t) => {
    const parts = [part('1'), part('old', { isMissing: true, canonicalKey: 'k' }), part('new', { canonicalKey: 'k' })]
    t.strictSame(assembleMultiFileBook(parts, []).order, ['1', 'new'])
    t.strictSame(assembleMultiFileBook([part('1'), part('2', { isMissing: true })], []).order, ['1', '2'])
    t.end()
  },
)

void t.test('marks become chapters that end where the next begins, and never after the end of the book', (t) => {
  const mark = (startSeconds: number, endSeconds: number | null = null) => ({ startSeconds, endSeconds, title: null })
  t.strictSame(
    chaptersFromMarks([mark(5), mark(0), mark(20), mark(7, 6), mark(8, 99)], 10).map((c) => [
      c.startSeconds,
      c.endSeconds,
    ]),
    [
      [0, 5],
      [5, 7],
      [7, 8],
      [8, 10],
    ],
  )
  t.strictSame(chaptersFromMarks([], 10), [])
  t.end()
})
