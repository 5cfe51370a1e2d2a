import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { listScanFailures } from '../../../src/core/scanning/index.ts'
import { cbzOf, epubOf, opfOf } from '../../support/book-files.ts'
import { putFile, scannedLibrary } from '../../support/scanning.ts'
import { pdfOf } from '../probing/books/pdf-writer.ts'
import { zipOf } from '../probing/books/zip-writer.ts'

const MOON = '<dc:title>From the Earth to the Moon</dc:title><dc:creator opf:role="aut">Jules Verne</dc:creator>'

/** Name and kind of sidecars, with the path of the item. */
async function sidecarsOf(db: Database, folder: string): Promise<string[]> {
  const rows = await db.any(sql.unsafe`
    select i.path as item, s.kind, s.path from item_sidecars s join media_items i on i.id = s.media_item_id order by s.path`)
  const inside = (path: unknown) => String(path).slice(folder.length + 1)
  return (rows as readonly Record<string, unknown>[]).map(
    ({ item, kind, path }) => `${inside(item)} ${String(kind)} ${inside(path)}`,
  )
}

void t.test('books and comics are items with their embedded metadata', async (t) => {
  const { folder, scan, items } = await scannedLibrary(t, { type: 'book' })
  const epub =
    epubOf(`${MOON}<dc:language>en</dc:language><dc:publisher>Press</dc:publisher><dc:date>1865-09-01</dc:date>
    <dc:description>&lt;p&gt;A cannon.&lt;/p&gt;</dc:description><dc:identifier opf:scheme="ISBN">978-0-553-21397-3</dc:identifier>
    <dc:subject>Adventure</dc:subject><meta name="calibre:series" content="Voyages"/><meta name="calibre:series_index" content="4.0"/>`)
  putFile(folder, 'Verne/moon.epub', epub)
  putFile(
    folder,
    'Stoker/Dracula (1897).pdf',
    pdfOf({ info: '/Title (Dracula, annotated) /Author (Bram Stoker) /CreationDate (D:2015)' }),
  )
  putFile(
    folder,
    'Comics/Saga #2.cbz',
    cbzOf(5, '<Series>Saga</Series><Number>2</Number><Writer>Anna, Ben</Writer><Summary>War.</Summary>'),
  )
  putFile(folder, 'Old/Walden (1854).mobi', 'BOOKMOBI')
  putFile(folder, 'Old/Ulysses.azw3', 'BOOKMOBI')
  putFile(folder, 'Comics/Maus.cbr', 'Rar!')
  t.match(await scan(), { status: 'completed', itemsFound: 6, itemsAdded: 6, itemsFailed: 0 })
  const rows = await items()
  t.match(rows.get('Verne/moon.epub'), {
    type: 'book',
    name: 'From the Earth to the Moon',
    year: 1865,
    container: 'epub',
    parentId: null,
    metadata: {
      title: 'From the Earth to the Moon',
      authors: ['Jules Verne'],
      author: 'Jules Verne',
      series: 'Voyages',
      series_part: '4',
      publisher: 'Press',
      published: '1865-09-01',
      language: 'en',
      isbn: '9780553213973',
      genres: ['Adventure'],
      description: 'A cannon.',
    },
  })
  t.match(rows.get('Stoker/Dracula (1897).pdf'), {
    name: 'Dracula, annotated',
    year: 1897,
    container: 'pdf',
    metadata: { author: 'Bram Stoker', page_count: 2 },
  })
  t.match(rows.get('Comics/Saga #2.cbz'), {
    name: 'Saga #2',
    container: 'cbz',
    metadata: { series: 'Saga', series_part: '2', authors: ['Anna', 'Ben'], page_count: 5, overview: 'War.' },
  })
  t.match(rows.get('Old/Walden (1854).mobi'), { name: 'Walden', year: 1854, container: 'mobi', probeError: null })
  t.match(rows.get('Old/Ulysses.azw3'), { name: 'Ulysses', container: 'azw3', metadata: { author: 'Old' } })
  t.match(rows.get('Comics/Maus.cbr'), { name: 'Maus', container: 'cbr' })
})

void t.test(
  'formats in one folder are versions, an OPF sidecar takes precedence over the book, the cover is its poster',
  async (t) => {
    const { folder, db, scan, items, services } = await scannedLibrary(t, { type: 'book' })
    const at = 'Verne/Moon (3)'
    putFile(folder, `${at}/Moon - Verne.epub`, epubOf('<dc:title>scan 17</dc:title><dc:language>en</dc:language>'))
    putFile(folder, `${at}/Moon - Verne.pdf`, pdfOf({ info: '/Title (x)' }))
    putFile(
      folder,
      `${at}/metadata.opf`,
      opfOf(`${MOON}<meta name="calibre:title_sort" content="Moon, From the Earth to the"/>`),
    )
    putFile(folder, `${at}/cover.jpg`, 'picture')
    t.match(await scan(), { status: 'completed', itemsFound: 2, itemsAdded: 2, itemsFailed: 0 })
    const rows = await items()
    t.strictSame([...rows.keys()], [`${at}/Moon - Verne.epub`])
    const book = rows.get(`${at}/Moon - Verne.epub`)
    t.match(book, {
      name: 'From the Earth to the Moon',
      sortTitle: 'Moon, From the Earth to the',
      metadata: { language: 'en' },
    })
    const [pdf] = await db.any(sql.unsafe`select role, role_label, primary_id from media_items where container = 'pdf'`)
    t.strictSame({ ...(pdf as object) }, { role: 'version', roleLabel: 'PDF', primaryId: book?.id })
    t.strictSame(await sidecarsOf(db, folder), [`${at}/Moon - Verne.epub poster ${at}/cover.jpg`])

    putFile(folder, `${at}/metadata.opf`, opfOf('<dc:title>Another name</dc:title>'))
    t.match(await scan(), { status: 'completed', itemsAdded: 0 })
    t.strictSame(services.probed.length, 2, 'the sidecar of a book has changed')
    t.match((await items()).get(`${at}/Moon - Verne.epub`), { id: book?.id, name: 'Another name' })

    rmSync(join(folder, at, 'Moon - Verne.epub'))
    t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 1 })
    t.strictSame([...(await items()).keys()], [`${at}/Moon - Verne.pdf`], 'the other format is the book now')
    t.strictSame(await sidecarsOf(db, folder), [`${at}/Moon - Verne.pdf poster ${at}/cover.jpg`])
  },
)

void t.test('a book whose folder moved keeps its id, its cover and its versions', async (t) => {
  const { folder, db, scan, items } = await scannedLibrary(t, { type: 'book' })
  putFile(folder, 'New/Moon/Moon.epub', epubOf(MOON))
  putFile(folder, 'New/Moon/Moon.pdf', pdfOf({ info: '/Title (Moon)' }))
  putFile(folder, 'New/Moon/cover.png', 'picture')
  await scan()
  const id = (await items()).get('New/Moon/Moon.epub')?.id
  t.ok(id)
  mkdirSync(join(folder, 'Verne'))
  renameSync(join(folder, 'New/Moon'), join(folder, 'Verne/Moon'))
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  t.equal((await items()).get('Verne/Moon/Moon.epub')?.id, id)
  const versions = await db.anyFirst(sql.unsafe`select path from media_items where primary_id = ${id ?? ''}`)
  t.strictSame([...versions], [join(folder, 'Verne/Moon/Moon.pdf')])
  t.strictSame(await sidecarsOf(db, folder), ['Verne/Moon/Moon.epub poster Verne/Moon/cover.png'])
})

void t.test('damaged, locked and hostile books are listed with a reason, and the job completes', async (t) => {
  const { folder, scan, services, items } = await scannedLibrary(t, { type: 'book' })
  const whole = epubOf(MOON)
  const bomb = zipOf([
    { name: 'META-INF/container.xml', bytes: Buffer.alloc(50_000) },
    { name: 'a.opf', bytes: Buffer.alloc(1_900_000) },
  ])
  const files: Record<string, Buffer | string> = {
    'good.epub': whole,
    'empty.epub': '',
    'cut.epub': whole.subarray(0, whole.length / 2),
    'noise.epub': 'no archive',
    'bomb.epub': bomb,
    'liar.epub': zipOf([{ name: 'a.opf', bytes: opfOf(MOON), claimedBytes: 10 }]),
    'out.cbz': zipOf([{ name: '../../etc/cron.d/x.jpg', bytes: 'x' }]),
    'nothing.cbz': zipOf([{ name: 'readme.txt', bytes: 'x' }]),
    'entities.epub': zipOf([
      {
        name: 'a.opf',
        bytes: '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><package><metadata>&a;</metadata></package>',
      },
    ]),
    'torn.pdf': pdfOf({ info: '/Title (Cut)' }).subarray(0, 120),
    'rustle.pdf': 'no document',
    'locked.pdf': lockedPdf(),
  }
  for (const [name, bytes] of Object.entries(files)) putFile(folder, name, bytes)
  const job = await scan()
  t.match(job, { status: 'completed', itemsFound: 12, itemsAdded: 12 })
  const rows = await items()
  t.equal(rows.get('good.epub')?.probeError, null)
  const failures = await listScanFailures(services, { scanJobId: job.id })
  for (const name of Object.keys(files).filter((name) => name !== 'good.epub' && name !== 'entities.epub')) {
    const failure = failures.find(({ path }) => path === join(folder, name))
    t.match(failure, { reason: /\w/, code: /^(?:empty_file|damaged|unknown_format|too_large|encrypted)$/ }, name)
    t.match(
      rows.get(name),
      { type: 'book', name: name.slice(0, -4).replace(/\.$/, ''), probeError: failure?.reason },
      name,
    )
  }
  t.notMatch(JSON.stringify([...rows]), /root:/, 'nothing outside of a book is read')
  t.match(await scan('rescan'), { status: 'completed', itemsFailed: 0 })
  t.strictSame(services.probed, [], 'a rescan backfills nothing for books')
})

/** Marks the file as encrypted with an unknown password (ISO 32000-1, 7.6.3). */
function lockedPdf(): Buffer {
  const secret = 'x'.repeat(32)
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${secret}) /U (${secret}) /P -4 >> /ID [(a) (b)]`
  return pdfOf({ info: '/Title (Locked)', trailer: lock })
}
