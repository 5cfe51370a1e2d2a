import t from 'tap'
import { parseSeriesFolder } from '../../../../src/core/naming/episode/series-folder.ts'
import { parseSeasonFolder } from '../../../../src/core/naming/numbering/season-folder.ts'
import { rowsOf, scoreRows } from '../../../support/naming-rows.ts'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

type SeasonRow = { path: string; parent: string; season: number | null; mode: string; src: string }

void t.test('season folders are distinguished from other folders in many languages', (t) => {
  scoreRows(t, 'season_folders', rowsOf<SeasonRow>('season_folders'), ({ path, parent, season, mode }) => {
    const actual = parseSeasonFolder(nameOf(path), nameOf(parent), mode === 'tv')
    return actual === season ? undefined : `${path} -> ${actual}, not ${season}`
  })
  t.end()
})

const FOLDERS: [name: string, parent: string, season: number | null][] = [
  ['Season 0', 'Show', 0],
  ['Specials', 'Show', 0],
  ['Season 10', 'Show', 10],
  ['Season 2009', 'Show', 2009],
  ['2nd Season', 'Show', 2],
  ['Temporada 3', 'Show', 3],
  ['Saison 1', 'Show', 1],
  ['Seizoen 4', 'Show', 4],
  ['2', 'Show', 2],
  ['s06', 'Show', 6],
  ['Show - Season 2', 'Show (2001)', 2],
  ['Season 2 - The Return', 'Show', 2],
  ['Seinfeld Season 2', 'Shows', null],
  ['s06e05', 'Show', null],
  ['Season', 'Show', null],
  ['Season (8)', 'Show', null],
  ['24', 'Shows', 24],
  ['1923 (2022)', 'Shows', null],
  ['Seasons of Love', 'Shows', null],
  ['Season I', 'Show', 1],
  ['Saison VII', 'Show', 7],
  ['Season XIV', 'Show', 14],
  ['4° Temporada', 'Show', 4],
  ['T03', 'Show', 3],
  ['第二季', '庆余年', 2],
  ['第二十一季', '庆余年', 21],
  ['Season of the Witch', 'Show', null],
  ['Season Mix', 'Show', null],
  ['T3', 'Show', null],
  ['', '', null],
]

void t.test('handwritten season folders', (t) => {
  for (const [name, parent, season] of FOLDERS) t.equal(parseSeasonFolder(name, parent), season, `${parent}/${name}`)
  t.equal(parseSeasonFolder('2', 'Collection', false), null, 'a number is not a season in a library of films')
  t.end()
})

void t.test('the folder of a series gives its name without season and release', (t) => {
  type Row = { path: string; series: string; src: string }
  const folded = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[\s._]+/g, ' ')
      .trim()
  scoreRows(t, 'series_names', rowsOf<Row>('series_names'), ({ path, series }) => {
    const actual = parseSeriesFolder(nameOf(path)).name ?? ''
    return folded(actual) === folded(series) ? undefined : `${path} -> ${actual}, not ${series}`
  })
  t.match(parseSeriesFolder('The Wire (2002) [tvdbid-79126]'), {
    name: 'The Wire',
    year: 2002,
    providerIds: { tvdb: '79126' },
  })
  t.match(parseSeriesFolder('The Office (US) (2005)'), { name: 'The Office (US)', year: 2005 })
  t.match(parseSeriesFolder('Lucky Luke (1983-1992)'), { name: 'Lucky Luke', year: 1983 })
  t.match(parseSeriesFolder('Naruto 101-150'), { name: 'Naruto', year: null })
  t.match(parseSeriesFolder('9-1-1 (2018)'), { name: '9-1-1', year: 2018 })
  t.match(parseSeriesFolder('90210'), { name: '90210', year: null })
  t.end()
})
