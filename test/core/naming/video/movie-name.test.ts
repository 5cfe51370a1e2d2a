import t from 'tap'
import { parseMovieName } from '../../../../src/core/naming/index.ts'
import { rowsOf, scoreRows } from '../../../support/naming-rows.ts'

type MovieRow = {
  path: string
  title?: string
  year?: number | null
  edition?: string | string[]
  cd?: number
  src: string
}

const folded = (title: string): string =>
  title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim()

const words = (edition: string): string[] =>
  edition
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** Radarr gives editions as written in the name; guessit gives a list of kinds, whose words the edition must contain. */
function isSameEdition(row: MovieRow, edition: string | null): boolean {
  const expected = [row.edition ?? []].flat().flatMap(words)
  const actual = words(edition ?? '')
  if (row.src.startsWith('Radarr')) return expected.join(' ') === actual.join(' ')
  return expected.every((word) => actual.includes(word))
}

function differenceOf(row: MovieRow): string | undefined {
  const movie = parseMovieName(row.path)
  const isRight =
    (row.title === undefined || folded(row.title) === folded(movie.title)) &&
    (row.year === undefined || row.year === movie.year) &&
    (row.edition === undefined || isSameEdition(row, movie.edition)) &&
    (row.cd === undefined || row.cd === movie.part)
  return isRight
    ? undefined
    : `${row.path} -> ${JSON.stringify(movie)}, not ${row.title} ${row.year} ${String(row.edition)}`
}

for (const set of ['movies', 'movies_release', 'editions', 'movie_parts']) {
  void t.test(`title, year, edition and part of ${set}`, (t) => {
    scoreRows(t, set, rowsOf<MovieRow>(set), differenceOf)
    t.end()
  })
}

void t.test('a number before 1880 or beyond 2039 is a part of the title, not the year of a film', (t) => {
  for (const title of ['Ironclad 1215', 'Battle of 1066', 'Journey 1879', 'Horizon 2040']) {
    t.match(parseMovieName(`${title}.mkv`), { title, year: null }, title)
  }
  t.match(parseMovieName('Roundhay 1888.mkv'), { title: 'Roundhay', year: 1888 })
  t.match(parseMovieName('Horizon 2039.mkv'), { title: 'Horizon', year: 2039 })
  t.end()
})

void t.test('release words are removed from a title, and nothing else', (t) => {
  type Row = { input: string; title?: string; unchanged?: true; src: string }
  scoreRows(t, 'clean_titles', rowsOf<Row>('clean_titles'), ({ input, title }) => {
    const expected = title ?? input.replace(/\.\w+$/, '').replace(/ \(\d{4}\)$/, '')
    const actual = parseMovieName(input).title
    return folded(expected) === folded(actual) ? undefined : `${input} -> ${actual}, not ${expected}`
  })
  t.end()
})

void t.test('the folder is used if the file name has no information', (t) => {
  for (const { path } of rowsOf<{ path: string; src: string }>('not_movies')) {
    const file = path.endsWith('.mkv') ? path : `${path}.mkv`
    t.match(parseMovieName(`Real Film (2001)/${file}`), { title: 'Real Film', year: 2001 }, path)
    if (!path.startsWith('THIS')) t.equal(parseMovieName(`Real Film/${file}`).title, 'Real Film', `${path}, no year`)
  }
  t.end()
})

const NAMES: [path: string, title: string, year: number | null, edition?: string][] = [
  // The year, and numbers that look like one.
  ['2012 (2009).mkv', '2012', 2009],
  ['1917.2019.1080p.mkv', '1917', 2019],
  ['1917.mkv', '1917', null],
  ['2001 A Space Odyssey.mkv', '2001 A Space Odyssey', null],
  ['2001.A.Space.Odyssey.1968.1080p.BluRay.x264-GRP.mkv', '2001 A Space Odyssey', 1968],
  ['Blade Runner 2049.mkv', 'Blade Runner 2049', null],
  ['Blade Runner 2049 (2017)/Blade.Runner.2049.2017.2160p.mkv', 'Blade Runner 2049', 2017],
  ['Wonder Woman 1984 (2020)/Wonder Woman 1984.mkv', 'Wonder Woman 1984', 2020],
  ['[1978] Superman.mkv', 'Superman', 1978],
  ['1978 - Superman.mkv', 'Superman', 1978],
  ['Superman - 1978.mkv', 'Superman', 1978],
  ['Django [1966].mkv', 'Django', 1966],
  // Title words that are release words elsewhere.
  ['Cam (2018).mkv', 'Cam', 2018],
  ["Mr. Holland's Opus (1995).mkv", "Mr. Holland's Opus", 1995],
  ['9. April (2015).mkv', '9. April', 2015],
  ['9. April (2015)/9. April (2015).mkv', '9. April', 2015],
  ['1. Mai 1945 (2005).mkv', '1. Mai 1945', 2005],
  ['10. Stock (2020).mkv', '10. Stock', 2020],
  ['10. Stock 2020.mkv', '10. Stock', 2020],
  ['1. The Two Towers (2002).mkv', 'The Two Towers', 2002],
  ['4. Dune - Part Two (2024).mkv', 'Dune - Part Two', 2024],
  ['03. Goldfinger (1964).mkv', 'Goldfinger', 1964],
  ['01. Mai (1999).mkv', '01. Mai', 1999],
  ['The Darjeeling Limited (2007).mkv', 'The Darjeeling Limited', 2007],
  ['The.Darjeeling.Limited.2007.720p.BluRay.x264-X.mkv', 'The Darjeeling Limited', 2007],
  ['THE DARJEELING LIMITED (2007).mkv', 'THE DARJEELING LIMITED', 2007],
  ['South Park: Bigger, Longer & Uncut (1999).mkv', 'South Park: Bigger, Longer & Uncut', 1999],
  ['The Good German (2006).mkv', 'The Good German', 2006],
  ['The English Patient.mkv', 'The English Patient', null],
  ['It.2017.1080p.mkv', 'It', 2017],
  ['Us.1080p.WEB-DL.mkv', 'Us', null],
  ['The Final Cut (2004).mkv', 'The Final Cut', 2004],
  ["Director's Cut (2016).mkv", "Director's Cut", 2016],
  ['Step.Up.3D.2010.1080p.mkv', 'Step Up 3D', 2010],
  ['spider-man.2002.1080p.bluray.x264.mkv', 'spider-man', 2002],
  // Punctuation of the title.
  ['Mr. Nobody (2009) [1080p]/Mr. Nobody (2009).mkv', 'Mr. Nobody', 2009],
  ['E.T. the Extra-Terrestrial (1982).mkv', 'E.T. the Extra-Terrestrial', 1982],
  ['R.I.P.D.2013.720p.mkv', 'R.I.P.D.', 2013],
  ['(500) Days of Summer (2009).mkv', '(500) Days of Summer', 2009],
  [
    'Birdman or (The Unexpected Virtue of Ignorance) (2014).mkv',
    'Birdman or (The Unexpected Virtue of Ignorance)',
    2014,
  ],
  ['The Hunger Games - Mockingjay - Part 1 (2014).mkv', 'The Hunger Games - Mockingjay - Part 1', 2014],
  ['千と千尋の神隠し (2001).mkv', '千と千尋の神隠し', 2001],
  ['Жихарка (2007) DVDRip.avi', 'Жихарка', 2007],
  ['Ame\u0301lie (2001).mkv', 'Am\u00E9lie', 2001],
  // Editions.
  ["Das Boot (1981) Director's Cut [German] 1080p.mkv", 'Das Boot', 1981, "Director's Cut"],
  ['Dark.City.(1998).DC.BDRip.720p.mkv', 'Dark City', 1998, "Director's Cut"],
  ['Alien.Director.Cut.1080p.mkv', 'Alien', null, "Director's Cut"],
  ['Watchmen.2009.The.Ultimate.Cut.1080p.mkv', 'Watchmen', 2009, 'Ultimate Cut'],
  ['Aliens.1986.Special.Edition.REMASTERED.mkv', 'Aliens', 1986, 'Special Edition Remastered'],
  ['Alien 3 (1992) [Assembly Cut].mkv', 'Alien 3', 1992, 'Assembly Cut'],
  ["Amélie (2001) {imdb-tt0211915} {edition-Director's Cut}.mkv", 'Amélie', 2001, "Director's Cut"],
  ['Baraka_Edition_Collector.avi', 'Baraka', null, 'Edition Collector'],
  // Sites and groups before the title.
  ['www.SceneTime.com - Taken 3 2014 1080p.mkv', 'Taken 3', 2014],
  ['[ www.torrenting.com ] - Taken 2 2012.mkv', 'Taken 2', 2012],
  // The folder if it has more information, and only then.
  ['Film (2001)/disc.mkv', 'Film', 2001],
  ['Film (2001)/CD2/film.avi', 'Film', 2001],
  ['Film (2001)/BDMV/STREAM/00800.m2ts', 'Film', 2001],
  ['Spider-Man (2002)/spider-man.2002.1080p.bluray.x264.mkv', 'Spider-Man', 2002],
  ['Somewhere.2010.DVDRip.XviD-iLG/i-smwhr.avi', 'Somewhere', 2010],
  ['300 (2007)/300 (2006).mkv', '300', 2006],
  ['Action/American Psycho.mkv', 'American Psycho', null],
  ['4K/Frozen.mkv', 'Frozen', null],
  ['Disney 4K/Frozen.mkv', 'Frozen', null],
  ['Movies (2019)/x/Heat (1995).mkv', 'Heat', 1995],
  // Names without any information.
  ['-.mkv', '-', null],
  ['....mkv', '...', null],
  ['(2001).mkv', '(2001)', null],
  ['2001.mkv', '2001', null],
  ['[rec].mkv', '[rec]', null],
  ['no extension', 'no extension', null],
  ['__proto__.mkv', 'proto', null],
]

void t.test('handwritten names', (t) => {
  for (const [path, title, year, edition = null] of NAMES) {
    const { title: actual, year: actualYear, edition: actualEdition } = parseMovieName(path)
    t.strictSame([actual, actualYear, actualEdition], [title, year, edition], path)
  }
  t.end()
})

const PARTS: [path: string, part: number | null][] = [
  ['Gone with the Wind (1939) part1.mkv', 1],
  ['Gone with the Wind (1939)-cd2.avi', 2],
  ['Gone with the Wind (1939).part.b.avi', 2],
  ['Battle.Royale.(2000).CD1of2.DVDRiP.XviD-[ZeaL].avi', 1],
  ['Mockingjay - Part 1 (2014).mkv', null],
  ['Kill.Bill.Vol.1.2003.720p.mkv', null],
]

void t.test('a part number counts after the year; before it it belongs to the title', (t) => {
  for (const [path, part] of PARTS) t.equal(parseMovieName(path).part, part, path)
  t.end()
})

void t.test('the title is never empty and never longer than a file name', (t) => {
  for (const path of ['', '/', '.', '.mkv', ' .mkv', '///.mkv', 'a'.repeat(10_000), `${'é'.repeat(10_000)}.mkv`]) {
    const { title } = parseMovieName(`x/${path}`)
    t.ok(title.length > 0 && title.length <= 512 && title.isWellFormed(), JSON.stringify(path.slice(0, 20)))
  }
  t.end()
})
