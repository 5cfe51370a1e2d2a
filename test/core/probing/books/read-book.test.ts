import t, { type Test } from 'tap'
import type { ProbedBook } from '../../../../src/core/probing/books/probed-book.ts'
import { listComicPages } from '../../../../src/core/probing/books/read-cbz.ts'
import { readBook } from '../../../../src/core/probing/books/read-book.ts'
import { noiseOf, sourceOf } from '../../../support/byte-sources.ts'
import { pdfOf } from './pdf-writer.ts'
import { zipOf, type ZipFileEntry } from './zip-writer.ts'

async function bookOf(t: Test, bytes: Uint8Array, name: string): Promise<ProbedBook> {
  const outcome = await readBook(sourceOf(t, bytes), name)
  if (outcome.kind === 'read') return outcome.book
  throw new Error(`${outcome.code}: ${outcome.reason}`)
}

async function codeOf(t: Test, bytes: Uint8Array, name: string): Promise<string> {
  const outcome = await readBook(sourceOf(t, bytes), name)
  return outcome.kind === 'read' ? 'read' : outcome.code
}

const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const PACKAGE = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title id="t">A Study</dc:title><dc:creator id="c">Ann Author</dc:creator><meta refines="#c" property="role">aut</meta>
<dc:identifier>urn:isbn:978-3-16-148410-0</dc:identifier><dc:language>en</dc:language><dc:date>1999-02-03</dc:date>
<dc:description>&lt;p&gt;First.&lt;/p&gt;&lt;p&gt;Second &amp;amp; last.&lt;/p&gt;</dc:description>
<meta property="belongs-to-collection" id="s">The Saga</meta><meta refines="#s" property="collection-type">series</meta>
<meta refines="#s" property="group-position">2</meta></metadata>
<manifest><item id="i" href="img/the%20cover.jpg" properties="cover-image" media-type="image/jpeg"/></manifest></package>`

const EPUB: readonly ZipFileEntry[] = [
  { name: 'mimetype', bytes: 'application/epub+zip', isStored: true },
  { name: 'META-INF/container.xml', bytes: CONTAINER },
  { name: 'OEBPS/book.opf', bytes: PACKAGE },
  { name: 'OEBPS/img/the cover.jpg', bytes: 'jpeg' },
]

void t.test('an epub gives title, people, series, identifiers and the entry of its cover', async (t) => {
  const { metadata, cover, format, pageCount } = await bookOf(t, zipOf(EPUB), 'x.epub')
  t.match(metadata, {
    title: 'A Study',
    authors: ['Ann Author'],
    year: 1999,
    date: '1999-02-03',
    language: 'en',
    overview: 'First.\nSecond & last.',
    series: [{ name: 'The Saga', part: '2' }],
    providerIds: { isbn: '9783161484100' },
  })
  t.strictSame([format, cover, pageCount], ['epub', { entry: 'OEBPS/img/the cover.jpg' }, null])
})

void t.test('a comic has its pages in natural order and its cover where ComicInfo says', async (t) => {
  const info = `<ComicInfo><Series>Hero</Series><Number>3</Number><Writer>A, B</Writer><Year>2001</Year><Month>4</Month>
  <Pages><Page Image="1" Type="FrontCover"/></Pages></ComicInfo>`
  const pages = ['p10.jpg', 'p2.jpg', 'p1.jpg', '__MACOSX/._p1.jpg', '.hidden.png', 'notes.txt'].map((name) => ({
    name,
    bytes: 'x',
  }))
  const book = await bookOf(t, zipOf([...pages, { name: 'ComicInfo.xml', bytes: info }]), 'Hero_3.cbz')
  t.match(book.metadata, {
    title: 'Hero #3',
    authors: ['A', 'B'],
    date: '2001-04',
    series: [{ name: 'Hero', part: '3' }],
  })
  t.strictSame([book.pageCount, book.cover], [3, { entry: 'p2.jpg' }])
  t.strictSame(listComicPages(['b/2.png', 'a/10.png', 'a/9.png']), ['a/9.png', 'a/10.png', 'b/2.png'])
  const bare = await bookOf(t, zipOf([...pages, { name: 'ComicInfo.xml', bytes: '<broken' }]), 'My_comic_01.cbz')
  t.match(bare, { metadata: { title: null }, pageCount: 3, cover: { entry: 'p1.jpg' } })
})

void t.test('a pdf gives title, authors and pages, a large one after a few reads', async (t) => {
  const info = String.raw`/Title (On \(everything\)) /Author (Ann One, Bob Two) /CreationDate (D:20040506)`
  const book = await bookOf(t, pdfOf({ info }), 'x.pdf')
  t.match(book, {
    format: 'pdf',
    pageCount: 2,
    metadata: { title: 'On (everything)', authors: ['Ann One', 'Bob Two'], year: 2004 },
  })
  const source = sourceOf(t, pdfOf({ info, padding: 20_000_000 }))
  t.equal((await readBook(source, 'x.pdf')).kind, 'read')
  t.ok(source.reads < 20, `${source.reads} reads`)
  const junk = await bookOf(t, pdfOf({ info: '/Title (Microsoft Word - draft.doc)' }), 'The_Real Title.pdf')
  t.equal(junk.metadata.title, null)
})

void t.test('formats without a reader are known by their names only', async (t) => {
  for (const [name, format] of [
    ['A_b.cbr', 'cbr'],
    ['A_b.mobi', 'mobi'],
    ['A_b.AZW3', 'azw3'],
  ] as const) {
    t.match(await bookOf(t, noiseOf(3, 100), name), { format, metadata: { title: null }, pageCount: null })
  }
})

void t.test('empty, random, cut and encrypted books are unreadable (M19)', async (t) => {
  t.equal(await codeOf(t, new Uint8Array(), 'x.epub'), 'empty')
  t.equal(await codeOf(t, noiseOf(5, 5000), 'x.epub'), 'unknown_format')
  t.equal(await codeOf(t, zipOf(EPUB).subarray(0, 400), 'x.epub'), 'damaged')
  t.equal(await codeOf(t, zipOf(EPUB.slice(0, 2)), 'x.epub'), 'damaged', 'no package document')
  t.equal(await codeOf(t, zipOf([{ name: 'a.txt', bytes: 'x' }]), 'x.cbz'), 'damaged', 'no pages')
  t.equal(await codeOf(t, Buffer.from('%PDF-1.4\nnothing'), 'x.pdf'), 'damaged')
  t.equal(await codeOf(t, pdfOf().subarray(0, 200), 'x.pdf'), 'damaged')
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${'a'.repeat(32)}) /U (${'b'.repeat(32)}) /P -4 >> /ID [(a)(b)]`
  t.equal(await codeOf(t, pdfOf({ trailer: lock }), 'x.pdf'), 'encrypted')
  t.equal(await codeOf(t, Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(9_000_000)]), 'x.pdf'), 'too_large')
})

void t.test('decompression bombs, path traversal and false sizes are refused (PI-01)', async (t) => {
  const replaced = (opf: Partial<ZipFileEntry>): Buffer =>
    zipOf(EPUB.map((entry) => (entry.name.endsWith('.opf') ? { ...entry, ...opf } : entry)))
  t.equal(await codeOf(t, replaced({ bytes: Buffer.alloc(1_900_000, ' ') }), 'x.epub'), 'too_large', 'ratio')
  t.equal(await codeOf(t, replaced({ bytes: Buffer.alloc(3_000_000, 'x') }), 'x.epub'), 'too_large', 'size')
  t.equal(await codeOf(t, replaced({ claimedBytes: 10 }), 'x.epub'), 'damaged', 'the output exceeds the declared size')
  t.equal(await codeOf(t, replaced({ claimedBytes: 4_000_000_000 }), 'x.epub'), 'too_large')
  for (const name of ['../evil.opf', '/etc/passwd', 'a/../../x', 'C:/x']) {
    t.equal(await codeOf(t, zipOf([...EPUB, { name, bytes: 'x' }]), 'x.epub'), 'damaged', name)
  }
  const many = Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}.jpg`, bytes: '', isStored: true }))
  t.equal(await codeOf(t, zipOf(many), 'x.cbz'), 'too_large')
  const entities = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><package><metadata>&b;</metadata></package>'
  t.equal(await codeOf(t, replaced({ bytes: entities }), 'x.epub'), 'damaged')
})

void t.test('damaged bytes never throw (FZ-01)', async (t) => {
  const samples = [
    [zipOf(EPUB), 'x.epub'],
    [zipOf([{ name: '1.jpg', bytes: 'x' }]), 'x.cbz'],
    [pdfOf(), 'x.pdf'],
  ] as const
  for (const [whole, name] of samples) {
    for (let seed = 1; seed <= 20; seed += 1) {
      const bytes = Buffer.from(whole)
      for (const [index, value] of noiseOf(seed, 10).entries()) bytes[(value * 37 + index * 101) % bytes.length] = value
      t.match((await readBook(sourceOf(t, bytes), name)).kind, /read|unreadable/)
    }
  }
})
