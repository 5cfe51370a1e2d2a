import t from 'tap'
import { parseEpisodePath, type EpisodeName } from '../../../../src/core/naming/episode/episode-name.ts'
import { isExtra } from '../../../../src/core/naming/video/extra-types.ts'
import { rowsOf, scoreRows } from '../../../support/naming-rows.ts'

type EpisodeRow = {
  path: string
  series?: string | null
  year?: number
  season?: number | null
  episode?: number
  episode_end?: number | null
  episodes?: number[]
  absolute?: number
  absolute_end?: number
  date?: string
  episode_title?: string
  special?: true
  extras?: true
  mode?: string
  src: string
}

const folded = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim()

const foldedOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : folded(text)

/** The name without its year; a row that keeps the year in the name (`Foo (2019)`) also requires that year. */
function isSameSeries({ series = null, year }: EpisodeRow, { seriesName, seriesYear }: EpisodeName): boolean {
  const [, name, ownYear] = /^(.+?) \(?((?:19|20)\d\d)\)?$/.exec(series ?? '') ?? []
  if (name === undefined || year !== undefined) return foldedOrNull(series) === foldedOrNull(seriesName)
  return folded(name) === foldedOrNull(seriesName) && Number(ownYear) === seriesYear
}

function wrongFields(row: EpisodeRow): string[] {
  const path = row.path.replaceAll('\\', '/')
  const own = parseEpisodePath(path)
  // Sonarr counts numbers without a season in the first season, which is undecided here.
  const seasonOfNone = row.src.startsWith('Sonarr') && own.episodeNumber !== null ? 1 : null
  const absolute = own.absoluteNumber ?? own.episodeNumber
  const episode = row.mode === undefined ? own.episodeNumber : absolute
  const ending = own.endingEpisodeNumber ?? own.episodeNumber
  const checks: [name: keyof EpisodeRow, isRight: () => boolean][] = [
    ['series', () => isSameSeries(row, own)],
    ['year', () => row.year === (own.seriesYear ?? own.seasonYear)],
    ['season', () => row.season === (own.seasonNumber ?? seasonOfNone)],
    ['episode', () => row.episode === episode],
    ['episode_end', () => (row.episode_end ?? own.episodeNumber) === ending],
    ['absolute', () => row.absolute === absolute],
    ['absolute_end', () => row.absolute_end === (own.endingAbsoluteNumber ?? own.endingEpisodeNumber)],
    ['date', () => row.date === own.airDate],
    ['episode_title', () => foldedOrNull(row.episode_title) === foldedOrNull(own.episodeTitle)],
    ['special', () => own.isSpecial],
    ['extras', () => isExtra(`${path}.mkv`)],
  ]
  return checks.filter(([name, isRight]) => row[name] !== undefined && !isRight()).map(([name]) => name)
}

function differenceOf(row: EpisodeRow): string | undefined {
  const wrong = wrongFields(row)
  if (wrong.length === 0) return undefined
  const expected = Object.fromEntries(wrong.map((name) => [name, row[name as keyof EpisodeRow]]))
  return `${row.path} -> ${JSON.stringify(parseEpisodePath(row.path.replaceAll('\\', '/')))}, not ${JSON.stringify(expected)}`
}

const SETS = `episodes episode_numbers episode_paths season_from_file episodes_multi episode_ranges episodes_dated
  episodes_absolute specials episodes_odd season_packs`.split(/\s+/)

for (const set of SETS) {
  void t.test(`series, season, episode and title of ${set}`, (t) => {
    scoreRows(t, set, rowsOf<EpisodeRow>(set), differenceOf)
    t.end()
  })
}

void t.test('a file that is not an episode has no number', (t) => {
  scoreRows(t, 'not_episodes', rowsOf<{ path: string; src: string }>('not_episodes'), ({ path }) => {
    const { episodeNumber, airDate } = parseEpisodePath(path)
    return episodeNumber === null && airDate === null ? undefined : `${path} -> ${episodeNumber} ${airDate}`
  })
  t.end()
})

type FieldsRow = {
  path: string
  title?: string
  year?: number
  season?: number
  seasons?: number[]
  episode?: number
  episodes?: number[]
  date?: string
  no_year?: true
  no_season?: true
  no_seasons?: true
  no_episode?: true
  no_episodes?: true
  no_date?: true
  src: string
}

/** Release names of films and series; rows with lists of seasons are skipped, because a file belongs to one. */
function isRightRelease(row: FieldsRow): boolean {
  const own = parseEpisodePath(row.path)
  const ending = own.endingEpisodeNumber ?? own.episodeNumber
  const expected: [given: unknown, actual: unknown][] = [
    [row.title && folded(row.title), folded(own.seriesName ?? '')],
    [row.no_year ? null : row.year, own.seriesYear],
    [row.no_season || row.no_seasons ? null : (row.season ?? row.seasons?.[0]), own.seasonNumber],
    [row.no_episode || row.no_episodes ? null : (row.episode ?? row.episodes?.[0]), own.episodeNumber],
    [row.episodes?.at(-1), ending],
    [row.no_date ? null : row.date, own.airDate],
  ]
  return expected.every(([given, actual]) => given === undefined || given === actual)
}

void t.test('fields of release names', (t) => {
  scoreRows(t, 'release_fields', rowsOf<FieldsRow>('release_fields'), (row) =>
    isRightRelease(row)
      ? undefined
      : `${row.path} -> ${JSON.stringify(parseEpisodePath(row.path))}, not ${JSON.stringify({ ...row, path: undefined, src: undefined })}`,
  )
  t.end()
})

const PATHS: [path: string, expected: Partial<EpisodeName>][] = [
  ['07 zgłoś się (1976)/Season 1/S01E02.mkv', { seriesName: '07 zgłoś się', seriesYear: 1976, episodeNumber: 2 }],
  ['07 zgłoś się (1976)/07 zgłoś się S01E02.mkv', { seriesName: '07 zgłoś się', seriesYear: 1976, episodeNumber: 2 }],
  // The source of the series name.
  [
    'The Office (US) (2005) [tvdbid-73244]/Season 1/The Office - S01E02 - Diversity Day.mkv',
    {
      seriesName: 'The Office (US)',
      seriesYear: 2005,
      providerIds: { tvdb: '73244' },
      seasonNumber: 1,
      episodeNumber: 2,
      episodeTitle: 'Diversity Day',
    },
  ],
  ['24/Season 1/01.mkv', { seriesName: '24', seasonNumber: 1, episodeNumber: 1 }],
  ['Shows/24/24 - 1x02.mkv', { seriesName: '24', seasonNumber: 1, episodeNumber: 2 }],
  ['Show/2/03.mkv', { seriesName: 'Show', seasonNumber: 2, episodeNumber: 3 }],
  ['TV Shows/Show S01E02.mkv', { seriesName: 'Show', seasonNumber: 1 }],
  ['Show (1999)/show.s01e02.720p-grp.mkv', { seriesName: 'Show', seriesYear: 1999 }],
  ['Show.S01.1080p-GRP/grp-show.102.mkv', { seriesName: 'Show', seasonNumber: 1, episodeNumber: 2 }],
  ['Show (2001)/Specials/Show - S00E03 - Making of.mkv', { seasonNumber: 0, episodeNumber: 3, isSpecial: true }],
  ['S01E02.mkv', { seriesName: null, seasonNumber: 1, episodeNumber: 2 }],
  ['', { seriesName: null, episodeNumber: null }],
  // Numbers that are not episodes.
  ['Show/Season 1/Show - S01E02 - 12 Angry Men.mkv', { episodeNumber: 2, endingEpisodeNumber: null }],
  ['12 Monkeys/12.Monkeys.S01E02.mkv', { seriesName: '12 Monkeys', episodeNumber: 2 }],
  ['The 4400/The.4400.S02E01.1080p.mkv', { seriesName: 'The 4400', seasonNumber: 2 }],
  ['Area 51 Stories/Season 1/Introduction 1080p.mkv', { seriesName: 'Area 51 Stories', episodeNumber: null }],
  ['Show/Season 1/Show.1920x1080.mkv', { seasonNumber: 1, episodeNumber: null }],
  ['Show/Season 1/Show S01E01 1280x720 x264.mkv', { episodeNumber: 1, endingEpisodeNumber: null }],
  ['Show/Season 1/Show S01E01-1080p.mkv', { episodeNumber: 1, endingEpisodeNumber: null }],
  // Several episodes, dates, absolute numbers.
  ['Show/Show - S01E01-E03.mkv', { episodeNumber: 1, endingEpisodeNumber: 3 }],
  ['Show/Season 1/01-02 - Both.mkv', { episodeNumber: 1, endingEpisodeNumber: 2, episodeTitle: 'Both' }],
  ['Show/Show 2018-11-14 Guest.mkv', { airDate: '2018-11-14', episodeTitle: 'Guest', episodeNumber: null }],
  ['Show/Show 2018-02-30.mkv', { airDate: null }],
  ['[Group] Show - 136 [720p].mkv', { seasonNumber: null, episodeNumber: 136, absoluteNumber: 136 }],
  ['Show 112.mkv', { seasonNumber: 1, episodeNumber: 12, absoluteNumber: 112 }],
  ['Show/Season 2/Show 112.mkv', { seasonNumber: 2, episodeNumber: 112, absoluteNumber: null }],
  ['[Group] Show 2nd Season - 05 [720p].mkv', { seriesName: 'Show', seasonNumber: 2, episodeNumber: 5 }],
  ['Show/Season 1/Show - 101-102 - Both.mkv', { episodeNumber: 1, endingEpisodeNumber: 2 }],
  ['Show/Season 1/Show 1.05 Title.mkv', { seasonNumber: 1, episodeNumber: 5, episodeTitle: 'Title' }],
  ['Show/Season 1/Show - S01E02 - 026 - Title.mkv', { episodeNumber: 2, episodeTitle: 'Title' }],
  ['Show/Season 1/Show S01E02a.mkv', { episodeNumber: 2, episodeTitle: null }],
  ['Show/Season 1/Show-s01-e02-x01.mkv', { episodeNumber: 2, endingEpisodeNumber: null }],
  ['Show/Season 1/Show S01E02 - Title (2018-11-14).mkv', { airDate: '2018-11-14', episodeTitle: 'Title' }],
  ['Show/Season 1/Show 1x02 [720p][x264] - Title.mkv', { episodeNumber: 2, episodeTitle: 'Title' }],
  ['Show/Show.1of4.Title.1080p.mkv', { episodeNumber: 1, episodeTitle: 'Title' }],
  ['60 Minutes/60 Minutes - Interview.mkv', { seriesName: '60 Minutes', episodeNumber: null }],
  ['60 Minutes/60 Minutes November 3, 2018.mkv', { airDate: '2018-11-03', episodeNumber: null }],
  ['Show/Show (12).mp4', { episodeNumber: 12 }],
  ['One Piece/One Piece 1001.mkv', { seasonNumber: null, absoluteNumber: 1001 }],
  ['[字幕组][標題][Title][12][1080p].mkv', { seriesName: 'Title', absoluteNumber: 12 }],
  ['[Group] Show - 12.5 [720p].mkv', { absoluteNumber: 12.5, isSpecial: true }],
  // Parts of a story, and titles with the word part.
  ['Show/Season 1/Show - S01E02 - The Fog of War, Part 2.mkv', { episodeTitle: 'The Fog of War', episodePart: 2 }],
  ['Show/Season 1/Show.S01E02.The.Fog.Part.Two.720p.mkv', { episodeTitle: 'The Fog', episodePart: 2 }],
  ['Show/Season 1/Show - S01E02 - Part 2.mkv', { episodeTitle: 'Part 2', episodePart: null }],
  ['Show/Season 1/Show - S01E02 - Part 2 Begins.mkv', { episodeTitle: 'Part 2 Begins', episodePart: null }],
  ['Show/Season 1/Show - S01E02 - Counterpart 2.mkv', { episodeTitle: 'Counterpart 2', episodePart: null }],
  // Seasons that are years, small series beside a series, and the owners of subtitles.
  ['Show S2014E18.mkv', { seriesName: 'Show', seriesYear: null, seasonNumber: 2014, seasonYear: 2014 }],
  ['Show S14E18.mkv', { seasonYear: null }],
  ['Show/Minisodes/Show.(Minisodes).01.Short.mkv', { seriesName: 'Show', seasonNumber: 0, episodeNumber: 1 }],
  ['Show.S02E06.720p-GRP/The Title - Show S2 (Ep 6) (Korean).srt', { seriesName: 'Show', episodeTitle: null }],
  ['Show/Season 1/Show S01E02 Title (Polish Up).mkv', { episodeTitle: 'Title (Polish Up)' }],
  ['Show.Season.2.1of4.Ep.Title.HDTV.mkv', { seasonNumber: 2, episodeNumber: 1, episodeTitle: 'Title' }],
]

void t.test('handwritten paths', (t) => {
  for (const [path, expected] of PATHS) t.match(parseEpisodePath(path), expected, path)
  t.end()
})
