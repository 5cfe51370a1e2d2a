import t from 'tap'
import { orderAudiobookFiles } from '../../../src/core/naming/music/audiobook-order.ts'
import {
  findAudiobookFolder,
  parseAudiobookFile,
  parseAudiobookPath,
  parseAudiobookTitle,
} from '../../../src/core/naming/music/audiobook-path.ts'
import { splitAuthorNames } from '../../../src/core/naming/text/author-names.ts'
import { parseBookName, parseBookPath } from '../../../src/core/naming/book/book-name.ts'
import { parseComicPath } from '../../../src/core/naming/book/comic-name.ts'
import { parseDiscNumber } from '../../../src/core/naming/music/music-disc-folder.ts'
import { parseTrackName } from '../../../src/core/naming/music/track-name.ts'
import { mediaFileKind } from '../../../src/core/platform/files/index.ts'
import { rowsOf, scoreRows } from '../../support/naming-rows.ts'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

void t.test('disc folders are distinguished from albums', (t) => {
  type Row = { path: string; is_disc_folder: boolean; src: string }
  scoreRows(t, 'music_disc_folders', rowsOf<Row>('music_disc_folders'), ({ path, is_disc_folder: isDisc }) => {
    const actual = parseDiscNumber(nameOf(path))
    return (actual !== null) === isDisc ? undefined : `${path} -> ${actual}`
  })
  t.equal(parseDiscNumber('CD2 - Live'), 2)
  for (const name of ['Volume 1 - Greatest Hits', 'disc disc', 'disk disc 6', 'Disco 1', 'Part One', '']) {
    t.equal(parseDiscNumber(name), null, name)
  }
  t.end()
})

const TRACKS: [name: string, title: string, track: number | null, disc: number | null, artist: string | null][] = [
  ['01 - Song.mp3', 'Song', 1, null, null],
  ['01. Song.flac', 'Song', 1, null, null],
  ['05 Song.mp3', 'Song', 5, null, null],
  ['1. Song.mp3', 'Song', 1, null, null],
  ['2-05 Song.mp3', 'Song', 5, 2, null],
  ['203 Song.mp3', 'Song', 3, 2, null],
  ['01 - Artist - Song.mp3', 'Song', 1, null, 'Artist'],
  ['B2. Song.flac', 'Song', 2, 2, null],
  ['03_song_name.mp3', 'song name', 3, null, null],
  ['7 Seconds.mp3', '7 Seconds', null, null, null],
  ['1979.mp3', '1979', null, null, null],
  ['1999 - Song.mp3', '1999 - Song', null, null, null],
  ['99.mp3', '99', null, null, null],
  ['Song.mp3', 'Song', null, null, null],
  ['.mp3', '.mp3', null, null, null],
]

void t.test('track and title of a music file without tags', (t) => {
  for (const [name, title, track, disc, artist] of TRACKS) {
    t.strictSame(parseTrackName(name), { title, artist, track, disc }, name)
  }
  t.end()
})

void t.test('title, series and number of books', (t) => {
  type Row = {
    name: string
    title: string | null
    series: string | null
    index: number | null
    year: number | null
    volume?: number
    src: string
  }
  scoreRows(t, 'books', rowsOf<Row>('books'), (row) => {
    const book = parseBookName(row.name)
    const isRight =
      book.title === row.title &&
      book.series === row.series &&
      book.index === row.index &&
      book.year === row.year &&
      (row.volume ?? book.volume) === book.volume
    return isRight ? undefined : `${row.name} -> ${JSON.stringify(book)}`
  })
  t.match(parseBookPath('Doyle, Arthur Conan/Sherlock Holmes/05 - The Adventures (1892).epub'), {
    authors: ['Arthur Conan Doyle'],
    series: 'Sherlock Holmes',
    index: 5,
    title: 'The Adventures',
    year: 1892,
  })
  t.match(parseBookPath('Bram Stoker/Dracula (42)/Dracula - Bram Stoker.epub'), {
    authors: ['Bram Stoker'],
    series: null,
    title: 'Dracula',
  })
  t.match(parseBookPath('Books/Dracula.pdf'), { authors: [], title: 'Dracula' })
  t.match(parseBookPath(''), { authors: [], title: '' })
  t.end()
})

void t.test('a numbered comic belongs to the series of its folder, and a name with # contains its own', (t) => {
  const rows: [path: string, series: string | null, index: number | null][] = [
    ['Saga (2012)/Saga 001 (2012) (Digital).cbz', 'Saga', 1],
    ['Asterix/01 - Asterix the Gaul.cbr', 'Asterix', 1],
    ['Manga/Naruto/Naruto v01 c003.cbz', 'Naruto', 3],
    ['Naruto/Naruto v02.cbz', 'Naruto', 2],
    ['Saga/Volume 1/003.cbz', 'Saga', 3],
    ['One_Piece/One_Piece_-_Chapter_12.cbz', 'One Piece', 12],
    ['Hellboy/Hellboy 3 of 6.cbz', 'Hellboy', 3],
    ['2000AD/2000AD 1234.cbz', '2000AD', 1234],
    ['Akira 1.5.cbz', 'Akira', 1.5],
    ['Comics/Saga 007.cbz', 'Saga', 7],
    ['Image/Saga (2012) #3 (of 6) (2013).cbz', 'Saga', 3],
    ['Comics/Maus.cbr', null, null],
    ['Batman (1989).cbz', null, null],
    ['Batman 1989.cbz', null, null],
    ['', null, null],
  ]
  for (const [path, series, index] of rows) {
    const comic = parseComicPath(path)
    t.strictSame([comic.series, comic.index], [series, index], path)
  }
  t.match(parseComicPath('Naruto/Naruto v01 c003.cbz'), { volume: 1, authors: [] })
  t.match(parseComicPath('Moore, Alan/Watchmen/01.cbz'), { series: 'Watchmen', authors: ['Alan Moore'] })
  t.end()
})

void t.test('several authors in one text', (t) => {
  type Row = { input: string; names: string[]; src: string }
  scoreRows(t, 'author_names', rowsOf<Row>('author_names'), ({ input, names }) => {
    const actual = splitAuthorNames(input)
    return actual.join('|') === names.join('|') ? undefined : `${input} -> ${actual.join('|')}`
  })
  const others: [text: string, names: string[]][] = [
    ['Smith, John & Doe, Jane', ['John Smith', 'Jane Doe']],
    ['Smith, John, Doe, Jane', ['John Smith', 'Jane Doe']],
    ['John Smith, Jane Doe', ['John Smith', 'Jane Doe']],
    ['John Smith and Jane Doe', ['John Smith', 'Jane Doe']],
    ['John Smith, Jr.', ['John Smith Jr.']],
    ['Le Guin, Ursula K.', ['Ursula K. Le Guin']],
    ['Andy Weir', ['Andy Weir']],
    ['Cher', ['Cher']],
    ['劉慈欣', ['劉慈欣']],
    ['A & A', ['A']],
    [' ; & , ', []],
    ['', []],
  ]
  for (const [text, names] of others) t.strictSame(splitAuthorNames(text), names, text)
  t.end()
})

void t.test('titles and years of audiobooks', (t) => {
  type Row = { path: string; title: string; year: number | null; src: string }
  scoreRows(t, 'audiobook_names', rowsOf<Row>('audiobook_names'), ({ path, title, year }) => {
    const actual = parseAudiobookPath(findAudiobookFolder(path))
    return actual.title === title && actual.year === year ? undefined : `${path} -> ${JSON.stringify(actual)}`
  })
  t.end()
})

void t.test('chapters of audiobook files', (t) => {
  type Row = { path: string; chapter?: number; part?: number; src: string }
  scoreRows(t, 'audiobook_files', rowsOf<Row>('audiobook_files'), ({ path, chapter = null, part = null }) => {
    const actual = parseAudiobookFile(nameOf(path))
    return actual.chapter === chapter && actual.part === part ? undefined : `${path} -> ${JSON.stringify(actual)}`
  })
  t.strictSame(parseAudiobookFile('Part 3 - Chapter 2.mp3'), { part: 3, chapter: 2 })
  t.end()
})

void t.test('files of one audiobook are grouped', (t) => {
  type Row = {
    case: string
    files: string[]
    book_count?: number
    groups?: Record<string, string | string[]>
    src: string
  }
  const isPart = (path: string): boolean => ['audio', 'photo'].includes(mediaFileKind(path) ?? '')
  scoreRows(t, 'audiobook_groups', rowsOf<Row>('audiobook_groups'), (row) => {
    const groups: Record<string, string[]> = {}
    for (const path of row.files.filter(isPart)) {
      const group = findAudiobookFolder(path)
      groups[group] = [...(groups[group] ?? []), group === path ? path : path.slice(group.length + 1)]
    }
    const sorted = (entries: Record<string, string | string[]>): string =>
      JSON.stringify(
        Object.entries(entries)
          .map(([group, files]) => `${group}: ${[files].flat().toSorted().join(', ')}`)
          .toSorted(),
      )
    const isRight =
      (row.book_count ?? Object.keys(groups).length) === Object.keys(groups).length &&
      (row.groups === undefined || sorted(row.groups) === sorted(groups))
    return isRight ? undefined : `${row.case} -> ${JSON.stringify(groups)}`
  })
  t.end()
})

const TITLES: [name: string, expected: object][] = [
  [
    'Vol 1 - 1994 - Wizards First Rule - A Tale {Sam Tsoutsouvas} [B002V8H59I]',
    {
      title: 'Wizards First Rule',
      subtitle: 'A Tale',
      narrators: ['Sam Tsoutsouvas'],
      sequence: 1,
      year: 1994,
      asin: 'B002V8H59I',
    },
  ],
  ['Book 2 - Title', { title: 'Title', sequence: 2 }],
  ['6. Title', { title: 'Title', sequence: 6 }],
  ['0.5 - Title', { title: 'Title', sequence: 0.5 }],
  ['1994 - Title - Vol 12', { title: 'Title', sequence: 12, year: 1994, subtitle: null }],
  ['101 Dalmatians', { title: '101 Dalmatians', sequence: null }],
  ['1984', { title: '1984', year: null, sequence: null }],
  ['Book 2', { title: 'Book 2', sequence: null }],
  ['Title (1994)', { title: 'Title', year: 1994 }],
]

void t.test('metadata from the folder of an audiobook', (t) => {
  for (const [name, expected] of TITLES) t.match(parseAudiobookTitle(name, true), expected, name)
  t.match(parseAudiobookPath('Goodkind, Terry & Smith, J./Sword of Truth/1 - Title'), {
    authors: ['Terry Goodkind', 'J. Smith'],
    series: 'Sword of Truth',
    sequence: 1,
    title: 'Title',
  })
  t.match(parseAudiobookPath('Author/300 - A Battle'), {
    authors: ['Author'],
    series: null,
    title: '300',
    sequence: null,
  })
  t.end()
})

void t.test('files are played by disc, track, number in the name and name', (t) => {
  const file = (path: string, discTag: number | null = null, trackTag: number | null = null) => ({
    path,
    discTag,
    trackTag,
  })
  const order = (files: ReturnType<typeof file>[]): string[] => orderAudiobookFiles(files).map(({ path }) => path)
  t.strictSame(order([file('B/CD 10/1.mp3'), file('B/CD 2/2.mp3'), file('B/CD 2/1.mp3')]), [
    'B/CD 2/1.mp3',
    'B/CD 2/2.mp3',
    'B/CD 10/1.mp3',
  ])
  t.strictSame(order([file('B/a.mp3', 2, 1), file('B/b.mp3', 1, 2), file('B/c.mp3', 1, 1)]), [
    'B/c.mp3',
    'B/b.mp3',
    'B/a.mp3',
  ])
  t.strictSame(order([file('B/Chapter 10.mp3'), file('B/Chapter 9.mp3')]), ['B/Chapter 9.mp3', 'B/Chapter 10.mp3'])
  t.strictSame(
    order([file('B/x 10.mp3', null, 1), file('B/x 9.mp3')]),
    ['B/x 9.mp3', 'B/x 10.mp3'],
    'a tag with gaps is none',
  )
  t.end()
})
