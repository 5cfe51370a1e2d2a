import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { getAudiobookProgress, saveProgress } from '../../../src/core/audiobooks/index.ts'
import { getItem, type MediaItemDetail } from '../../../src/core/catalogue/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { countRows, putFile, putNoise, scannedLibrary } from '../../support/scanning.ts'
import { putAudio } from '../../support/tagged-audio.ts'

const CHAPTERS = [
  { startSeconds: 0, endSeconds: 1.5, title: 'Opening' },
  { startSeconds: 1.5, endSeconds: 4, title: 'Das Ende – fin' },
]

async function bookshelf(t: Parameters<typeof scannedLibrary>[0]) {
  const shelf = await scannedLibrary(t, { type: 'audiobook' })
  /** All listed items, by name. */
  const books = async (): Promise<Map<string, MediaItemDetail>> => {
    const ids = [...(await shelf.items()).values()].map(({ id }) => id)
    const details = await Promise.all(ids.map((id) => getItem({ db: shelf.db }, id)))
    return new Map(details.map((book) => [book.name, book]))
  }
  const listed = async (): Promise<MediaItemDetail[]> => {
    const ids = await shelf.db.anyFirst(sql.unsafe`
      select id from media_items where role is null order by sort_key, id`)
    return Promise.all(ids.map((id) => getItem({ db: shelf.db }, String(id))))
  }
  return { ...shelf, books, listed }
}

/** File names of the parts of a book, in playback order. */
async function partsOf(db: Database, bookId: string): Promise<string[]> {
  const paths = await db.anyFirst(sql.unsafe`
    select path from media_items where primary_id = ${bookId} and role = 'part' order by role_order`)
  return paths.map((path) => String(path).split('/').slice(-2).join('/'))
}

async function makeUser(db: Database): Promise<string> {
  return String(
    await db.oneFirst(sql.unsafe`
      insert into users (username, email, password_hash, created_at, updated_at)
      values ('Ada', 'ada@example.org', '$argon2id$x', now(), now()) returning id`),
  )
}

void t.test('a book in one file is an item, with exact chapters at any position of its header', async (t) => {
  const { folder, scan, listed } = await bookshelf(t)
  await putAudio(folder, 'Ann Author/First.m4b', { seconds: 4, chapters: CHAPTERS, isHeaderFirst: true })
  await putAudio(folder, 'Ann Author/Sagas/Last/Last.m4b', { seconds: 4, chapters: CHAPTERS, isHeaderFirst: false })
  t.match(await scan(), { status: 'completed', itemsFound: 2, itemsAdded: 2, itemsFailed: 0 })
  const books = await listed()
  t.strictSame(
    books.map(({ name, type }) => [name, type]),
    [
      ['Ann Author', 'audiobook'],
      ['Last', 'audiobook'],
    ],
    'a folder is a book, so its name is the title',
  )
  for (const book of books) {
    t.strictSame(book.chapters, CHAPTERS, book.name)
    t.ok(Math.abs((book.durationSeconds ?? 0) - 4) < 0.1)
  }
  t.match(books[1]?.metadata, { author: 'Ann Author', authors: ['Ann Author'], series: 'Sagas' })
})

void t.test('names, tags and sidecars describe a book, each taking precedence over the previous one', async (t) => {
  const { folder, scan, listed } = await bookshelf(t)
  const place = 'Ann Author/The Saga/Vol 2 - 1994 - Named - Sub {Nora Names} [B012345678]'
  const tags = {
    title: 'Tagged',
    album: 'Tagged',
    artist: 'Tom Tags & Tina Tags',
    composer: 'Tim Tags',
    genre: 'Fantasy',
    date: '1999',
    publisher: 'Tag House',
  }
  await putAudio(folder, `${place}/book.m4b`, { tags })
  await scan()
  const [first] = await listed()
  t.match(first, { name: 'Tagged', year: 1999 })
  t.match(first?.metadata, {
    authors: ['Tom Tags', 'Tina Tags'],
    author: 'Tom Tags, Tina Tags',
    narrator: 'Tim Tags',
    genres: ['Fantasy'],
    series: 'The Saga',
    series_part: '2',
    subtitle: 'Sub',
    asin: 'B012345678',
  })
  putFile(folder, `${place}/reader.txt`, 'Rita Reader\n')
  putFile(folder, `${place}/desc.txt`, 'About it.')
  putFile(
    folder,
    `${place}/metadata.opf`,
    `<package><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Packed</dc:title>
      <dc:creator>Paula Pack</dc:creator></metadata></package>`,
  )
  await scan()
  t.match(await listed(), [
    { name: 'Packed', metadata: { author: 'Paula Pack', narrator: 'Rita Reader', overview: 'About it.' } },
  ])
  const json = {
    title: 'Shelved',
    authors: ['Jane Json'],
    series: ['Other #3'],
    publishedYear: '2001',
    isbn: '9780306406157',
  }
  putFile(folder, `${place}/metadata.json`, JSON.stringify(json))
  await scan()
  t.match(await listed(), [
    {
      id: first?.id,
      name: 'Shelved',
      year: 2001,
      metadata: {
        authors: ['Jane Json'],
        series: 'Other',
        series_part: '3',
        isbn: '9780306406157',
        narrator: 'Rita Reader',
      },
    },
  ])
  rmSync(join(folder, place, 'metadata.json'))
  rmSync(join(folder, place, 'metadata.opf'))
  await scan()
  t.match(await listed(), [{ name: 'Tagged', metadata: { author: 'Tom Tags, Tina Tags', series: 'The Saga' } }])
})

void t.test('each file in the library folder is a book, described by sidecars of its name', async (t) => {
  const { folder, scan, listed } = await bookshelf(t)
  await putAudio(folder, 'One.m4b', { hertz: 300 })
  await putAudio(folder, 'Two.mp3')
  putFile(folder, 'Two.opf', '<package><metadata><title>Second</title></metadata></package>')
  putFile(folder, 'metadata.json', '{"title":"Nobody"}')
  putFile(folder, 'One.jpg', 'a picture')
  await scan()
  t.strictSame(
    (await listed()).map(({ name }) => name),
    ['One', 'Second'],
  )
})

void t.test('a book in many files is one row with the total duration and a chapter for each file', async (t) => {
  const { db, folder, scan, listed } = await bookshelf(t)
  for (const number of [1, 2, 10])
    await putAudio(folder, `Ann Author/Parts/Chapter ${number}.mp3`, { seconds: number === 10 ? 3 : 2 })
  await putAudio(folder, 'Ann Author/Parts/Chapter 3.m4b', { seconds: 4, chapters: CHAPTERS })
  putFile(folder, 'Ann Author/Parts/cover.jpg', 'a picture')
  t.match(await scan(), { itemsFound: 4, itemsAdded: 4 })
  const [book, ...others] = await listed()
  t.strictSame(others, [])
  t.match(book, { type: 'audiobook', name: 'Parts', path: null, metadata: { author: 'Ann Author', part_count: 4 } })
  t.strictSame(
    await partsOf(db, book?.id ?? ''),
    [1, 2, 3, 10].map((number) => `Parts/Chapter ${number}.${number === 3 ? 'm4b' : 'mp3'}`),
  )
  t.ok(Math.abs((book?.durationSeconds ?? 0) - 11) < 0.3, `${book?.durationSeconds}`)
  t.strictSame(
    book?.chapters.map(({ title }) => title),
    ['Chapter 1', 'Chapter 2', 'Opening', 'Das Ende – fin', 'Chapter 10'],
  )
  let end = 0
  for (const { startSeconds, endSeconds } of book?.chapters ?? []) {
    t.ok(Math.abs(startSeconds - end) < 0.05, 'chapters follow each other')
    end = endSeconds
  }
  t.ok(Math.abs(end - (book?.durationSeconds ?? 0)) < 0.05)
  t.strictSame(await db.anyFirst(sql.unsafe`select media_item_id from item_sidecars where kind = 'poster'`), [book?.id])
  await scan()
  t.strictSame(await listed(), [book], 'and a scan of the same changes nothing')
})

void t.test('disc folders are one book, described by files beside them', async (t) => {
  const { db, folder, scan, listed } = await bookshelf(t)
  const tags = { album: 'Discs', artist: 'Ann Author', composer: 'Rita Reader' }
  await putAudio(folder, 'Ann Author/Discs/CD1/01.mp3', { tags: { ...tags, title: 'One', track: '1' } })
  await putAudio(folder, 'Ann Author/Discs/CD2/01.mp3', { tags: { ...tags, title: 'Two', track: '1' } })
  const about = {
    title: 'Told',
    narrators: ['Jane Json'],
    chapters: [
      { start: 0, end: 3, title: 'All' },
      { start: 3, title: 'Rest' },
    ],
  }
  putFile(folder, 'Ann Author/Discs/metadata.json', JSON.stringify(about))
  putFile(folder, 'Ann Author/Discs/cover.jpg', 'a picture')
  await scan()
  const [book, ...others] = await listed()
  t.strictSame(others, [])
  t.match(book, { name: 'Told', metadata: { author: 'Ann Author', narrator: 'Jane Json' } })
  t.strictSame(await partsOf(db, book?.id ?? ''), ['CD1/01.mp3', 'CD2/01.mp3'])
  t.match(book?.chapters, [
    { startSeconds: 0, endSeconds: 3, title: 'All' },
    { startSeconds: 3, endSeconds: book?.durationSeconds, title: 'Rest' },
  ])
  t.strictSame(await db.anyFirst(sql.unsafe`select media_item_id from item_sidecars where kind = 'poster'`), [book?.id])
  rmSync(join(folder, 'Ann Author/Discs/metadata.json'))
  await scan()
  t.match(await listed(), [{ id: book?.id, name: 'Discs', metadata: { narrator: 'Rita Reader' } }])
  t.strictSame(
    (await listed())[0]?.chapters.map(({ title }) => title),
    ['One', 'Two'],
  )
})

void t.test('a book grows and shrinks with its files', async (t) => {
  const { db, folder, scan, listed } = await bookshelf(t)
  await putAudio(folder, 'Book/1.mp3', { hertz: 300 })
  await scan()
  t.match(await listed(), [{ name: 'Book', path: /1\.mp3$/ }])
  await putAudio(folder, 'Book/2.mp3', { hertz: 400, seconds: 3 })
  await scan()
  const [book, ...others] = await listed()
  t.strictSame(others, [])
  t.match(book, { name: 'Book', path: null })
  t.strictSame(await partsOf(db, book?.id ?? ''), ['Book/1.mp3', 'Book/2.mp3'])
  await putAudio(folder, 'Book/disc 3/3.mp3', { hertz: 500 })
  putNoise(folder, 'Book/disc 4/4.mp3', 5000)
  await scan()
  t.ok(Math.abs(((await listed())[0]?.durationSeconds ?? 0) - 7) < 0.3)
  t.equal((await listed())[0]?.chapters.length, 3, 'an unreadable file has no chapter')
  rmSync(join(folder, 'Book/disc 3'), { recursive: true })
  rmSync(join(folder, 'Book/disc 4'), { recursive: true })
  rmSync(join(folder, 'Book/2.mp3'))
  await scan('rescan')
  t.match(await listed(), [
    { id: book?.id, name: 'Book', path: null, metadata: { part_count: 1 }, chapters: { length: 1 } },
  ])
  t.ok(Math.abs(((await listed())[0]?.durationSeconds ?? 0) - 2) < 0.1)
  rmSync(join(folder, 'Book'), { recursive: true })
  putNoise(folder, 'Other/1.mp3', 5000)
  await scan('rescan')
  t.match(await countRows(db), { items: 1 }, 'a book without files is removed')
})

void t.test('a file beside disc folders belongs to the same book', async (t) => {
  const { db, folder, scan, listed } = await bookshelf(t)
  await putAudio(folder, 'Book/intro.mp3', { hertz: 300 })
  await putAudio(folder, 'Book/disk 001/a.mp3', { hertz: 400 })
  await putAudio(folder, 'Book/disk 002/a.mp3', { hertz: 500 })
  await scan()
  const [book, ...others] = await listed()
  t.strictSame(others, [])
  t.equal((await partsOf(db, book?.id ?? '')).length, 3)
})

void t.test('the position in a book of many files survives moving and renaming its folder', async (t) => {
  const { db, folder, scan, listed, services } = await bookshelf(t)
  for (const number of [1, 2, 3]) await putAudio(folder, `Ann Author/Parts/${number}.mp3`, { seconds: number + 1 })
  await scan()
  const [before] = await listed()
  const audiobookId = before?.id ?? ''
  const userId = await makeUser(db)
  await saveProgress(services, { audiobookId, profileId: userId, positionMs: 1500, currentChapterIndex: 1 })
  mkdirSync(join(folder, 'Moved'))
  renameSync(join(folder, 'Ann Author/Parts'), join(folder, 'Moved/New Name'))
  await scan()
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 0 })
  const [after, ...others] = await listed()
  t.strictSame(others, [])
  t.match(after, { id: audiobookId, name: 'New Name', metadata: { author: 'Moved' }, addedAt: before?.addedAt })
  t.strictSame(after?.chapters, before?.chapters)
  t.match(await getAudiobookProgress(services, { audiobookId, profileId: userId }), {
    positionMs: 1500,
    currentChapterIndex: 1,
  })
  t.strictSame(await partsOf(db, audiobookId), ['New Name/1.mp3', 'New Name/2.mp3', 'New Name/3.mp3'])
  t.match(await scan(), { itemsAdded: 0 })
  t.strictSame(
    (await listed()).map(({ id }) => id),
    [audiobookId],
    'and stays so',
  )
})

void t.test('a moved book in one file keeps its row', async (t) => {
  const { folder, scan, listed } = await bookshelf(t)
  await putAudio(folder, 'Ann Author/Lone/lone.m4b', { seconds: 4, chapters: CHAPTERS })
  await scan()
  const [before] = await listed()
  mkdirSync(join(folder, 'Bea Author'))
  renameSync(join(folder, 'Ann Author/Lone'), join(folder, 'Bea Author/Alone'))
  await scan('rescan')
  t.match(await listed(), [{ id: before?.id, name: 'Alone', metadata: { author: 'Bea Author' }, chapters: CHAPTERS }])
})

void t.test('a path of any length is a book', async (t) => {
  const { folder, scan, listed } = await bookshelf(t)
  const deep = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(250, 'x')).join('/')
  await putAudio(folder, `${deep}/1.mp3`)
  await putAudio(folder, `${deep}/2.mp3`)
  t.match(await scan(), { status: 'completed', itemsAdded: 2 })
  t.equal((await listed()).length, 1)
})
