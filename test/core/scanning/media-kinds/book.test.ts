import t from 'tap'
import type { ProbedBook, LocalMetadata } from '../../../../src/core/probing/index.ts'
import { emptyMetadata } from '../../../../src/core/probing/sidecars/local-metadata.ts'
import { bookKind } from '../../../../src/core/scanning/media-kinds/book.ts'
import type { FileDescription, PlannedFolder } from '../../../../src/core/scanning/media-kinds/media-kind.ts'

function plan(pathInsideRoot: string, names: readonly string[]): PlannedFolder {
  return bookKind.planFolder({ pathInsideRoot, names })
}

/** Maps the name of the first format to the names of the others. */
function booksIn(pathInsideRoot: string, names: readonly string[]): Record<string, string[]> {
  const { files } = plan(pathInsideRoot, names)
  const others = [...files].filter(([, { role }]) => role !== null)
  const firsts = [...files].filter(([, { role }]) => role === null).map(([name]) => name)
  const isOf = (first: string) =>
    others.filter(([, { role }]) => JSON.stringify(role?.of) === JSON.stringify({ file: first }))
  return Object.fromEntries(firsts.map((first) => [first, isOf(first).map(([name]) => name)]))
}

void t.test('formats of one name are one book, the most capable first', (t) => {
  t.strictSame(booksIn('Verne', ['Moon.mobi', 'Moon.pdf', 'Moon.epub', 'Sea.azw3', 'Sea.cbr', 'Mars.cbz']), {
    'Moon.epub': ['Moon.pdf', 'Moon.mobi'],
    'Sea.azw3': ['Sea.cbr'],
    'Mars.cbz': [],
  })
  t.strictSame(booksIn('', ['MOON.epub', 'moon.PDF']), { 'MOON.epub': ['moon.PDF'] })
  t.strictSame(plan('Verne', ['Moon.epub', 'Moon.pdf']).files.get('Moon.pdf')?.role, {
    kind: 'version',
    of: { file: 'Moon.epub' },
    label: 'PDF',
    order: 1,
  })
  t.end()
})

void t.test(
  'a folder with metadata.opf is one book, unless a format is there twice or it is the library itself',
  (t) => {
    t.strictSame(booksIn('Verne/Moon (3)', ['Moon - Verne.epub', 'Moon, illustrated.pdf', 'metadata.opf']), {
      'Moon - Verne.epub': ['Moon, illustrated.pdf'],
    })
    const dump = ['Mars.pdf', 'Moon.epub', 'Sea.epub', 'metadata.opf']
    t.strictSame(booksIn('New', dump), { 'Mars.pdf': [], 'Moon.epub': [], 'Sea.epub': [] })
    t.strictSame(booksIn('', ['Moon.epub', 'Sea.pdf', 'metadata.opf']), { 'Moon.epub': [], 'Sea.pdf': [] })
    t.end()
  },
)

void t.test('an OPF and a cover belong to the book of their name, those of the folder to its only book', (t) => {
  const alone = plan('Verne/Moon', [
    'Moon.epub',
    'Moon.opf',
    'Moon.pdf',
    'cover.jpg',
    'metadata.opf',
    'notes.txt',
    'page.png',
  ])
  for (const name of ['Moon.epub', 'Moon.pdf']) {
    t.strictSame(alone.files.get(name)?.sidecars, ['metadata.opf', 'Moon.opf'], 'the one of its name takes precedence')
  }
  t.strictSame(alone.companions, [{ name: 'cover.jpg', kind: 'poster', of: 'Moon.epub', details: {} }])
  const several = plan('Verne', ['Moon.epub', 'Moon.jpg', 'Sea.epub', 'Sea.opf', 'cover.jpg', 'metadata.opf'])
  t.strictSame(
    [...several.files].map(([name, { sidecars }]) => [name, sidecars]),
    [
      ['Moon.epub', []],
      ['Sea.epub', ['Sea.opf']],
    ],
  )
  t.strictSame(several.companions, [{ name: 'Moon.jpg', kind: 'poster', of: 'Moon.epub', details: {} }])
  t.end()
})

void t.test('other files are ignored', (t) => {
  t.equal(plan('', ['cover.jpg', 'metadata.opf', 'a.cb7', 'a.txt', 'a.nfo', '.epub', 'epub']).files.size, 0)
  t.end()
})

function describe(
  path: string,
  book?: Partial<LocalMetadata>,
  companions: Partial<LocalMetadata>[] = [],
): FileDescription {
  const at = path.lastIndexOf('/')
  const file = plan(path.slice(0, Math.max(at, 0)), [path.slice(at + 1)]).files.get(path.slice(at + 1))
  if (file === undefined) throw new Error(`${path} is no book`)
  const read: ProbedBook | undefined =
    book === undefined
      ? undefined
      : { format: 'epub', metadata: { ...emptyMetadata('book'), ...book }, pageCount: 12, cover: null }
  const facts = read === undefined ? null : { media: null, containerTags: {}, tags: null, book: read }
  const local = companions.map((one) => ({ ...emptyMetadata('book'), ...one }))
  return bookKind.describe(file, facts, local)
}

void t.test('a name alone gives title, authors, series and year', (t) => {
  const { identification, nameSource, localMetadata } = describe(
    'Jules Verne/Voyages/04 - From the Earth to the Moon (1865).epub',
  )
  t.match(identification, { type: 'book', name: 'From the Earth to the Moon', year: 1865 })
  t.strictSame(identification.metadata, {
    title: 'From the Earth to the Moon',
    year: 1865,
    authors: ['Jules Verne'],
    author: 'Jules Verne',
    series: 'Voyages',
    series_part: '4',
  })
  t.strictSame([nameSource, localMetadata], ['file', {}])
  t.equal(describe('The_Time_Machine.pdf').identification.name, 'The Time Machine')
  t.equal(describe('The_Time_Machine.pdf').identification.sortTitle, 'Time Machine')
  t.end()
})

void t.test('issues without a title are named after the file and sorted by number', (t) => {
  const issue = (name: string) => describe(`Comics/${name}`).identification
  t.equal(issue('Saga #2 (2012).cbz').name, 'Saga #2 (2012)')
  t.ok(issue('Saga #2 (2012).cbz').sortTitle < issue('Saga #10 (2013).cbz').sortTitle)
  t.end()
})

void t.test(
  'comics have the series of their ComicInfo, else of folder and number, and are sorted by their number',
  (t) => {
    const named = (path: string) => describe(path).identification
    t.match(named('Saga/Saga 2.cbz').metadata, { series: 'Saga', series_part: '2' })
    t.ok(named('Saga/Saga 2.cbz').sortTitle < named('Saga/Saga 10.cbz').sortTitle)
    const said = (part: string) =>
      describe('Saga/Saga 2.cbz', { kind: 'comic', title: `Saga #${part}`, series: [{ name: 'The Saga', part }] })
    t.match(said('2').localMetadata, { series: 'The Saga', series_part: '2' })
    t.ok(said('2').identification.sortTitle < said('10').identification.sortTitle)
    t.equal(said('1/2').identification.sortTitle, 'Saga 00001/2')
    t.end()
  },
)

void t.test('an OPF sidecar takes precedence over the book, and both over its name', (t) => {
  const inside: Partial<LocalMetadata> = {
    title: 'Moon',
    authors: ['J. Verne', 'Somebody'],
    year: 1999,
    language: 'en',
    publisher: 'Scanner',
    overview: 'Long.',
  }
  const opf: Partial<LocalMetadata> = {
    title: 'The Moon',
    sortTitle: 'Moon, The',
    authors: ['Jules Verne'],
    series: [{ name: 'Voyages', part: '4' }],
    date: '1865-09-01',
    providerIds: { isbn: '9780553213973' },
  }
  const { identification, nameSource, localMetadata } = describe('Verne/moon (1870).epub', inside, [opf])
  t.match(identification, { name: 'The Moon', sortTitle: 'Moon, The', year: 1870 })
  t.equal(nameSource, 'local')
  t.strictSame(localMetadata, {
    title: 'The Moon',
    authors: ['Jules Verne'],
    author: 'Jules Verne',
    series: 'Voyages',
    series_part: '4',
    publisher: 'Scanner',
    published: '1865-09-01',
    language: 'en',
    isbn: '9780553213973',
    external_ids: { isbn: '9780553213973' },
    page_count: 12,
    description: 'Long.',
    overview: 'Long.',
  })
  t.equal(describe('Verne/moon (1870).epub', inside, [{ year: 1865 }]).identification.year, 1865)
  t.equal(describe('Verne/moon.epub', inside).identification.year, 1999, 'without another source')
  t.match(describe('Verne/moon.epub', inside, [{ title: 'a' }, { title: 'b' }]).identification, { name: 'b' })
  t.end()
})

void t.test('a book without metadata is named after its file', (t) => {
  const { identification, nameSource, localMetadata } = describe('Verne/Moon.epub', {})
  t.match([identification.name, nameSource, localMetadata], ['Moon', 'file', { page_count: 12 }])
  t.end()
})
