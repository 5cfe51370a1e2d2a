import t from 'tap'
import { detectExtraType, parseEpisodePath, parseMovieName } from '../../../src/core/naming/index.ts'
import { rowsOf, scoreRows } from '../../support/naming-rows.ts'

type FilmRow = {
  path: string
  title?: string
  year?: number | null
  edition?: string
  ids?: Record<string, string>
  src: string
}

type EpisodeRow = {
  path: string
  series?: string
  year?: number | null
  season?: number
  episode?: number | null
  episode_end?: number | null
  absolute?: number
  date?: string | null
  episode_title?: string | null
  special?: boolean
  ids?: Record<string, string>
  src: string
}

type ExtraRow = { path: string; extra_type: string | null; src: string }

const folded = (text: string | null): string | null =>
  text
    ?.normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim() ?? null

/** The fields of a row that differ from the actual values. */
function wrongFields(row: Record<string, unknown>, actual: Record<string, unknown>): string | undefined {
  const textOf = (value: unknown): string => JSON.stringify(typeof value === 'string' ? folded(value) : value)
  const wrong = Object.keys(actual).filter(
    (name) => row[name] !== undefined && textOf(row[name]) !== textOf(actual[name]),
  )
  if (wrong.length === 0) return undefined
  return `${String(row['path'])} -> ${wrong.map((name) => `${name} ${textOf(actual[name])}, not ${textOf(row[name])}`).join('; ')}`
}

function filmDifference(row: FilmRow): string | undefined {
  const { title, year, edition, providerIds } = parseMovieName(row.path)
  return wrongFields(row, { title, year, edition, ids: providerIds })
}

function episodeDifference(row: EpisodeRow): string | undefined {
  const own = parseEpisodePath(row.path)
  return wrongFields(row, {
    series: own.seriesName,
    year: own.seriesYear,
    season: own.seasonNumber,
    episode: own.episodeNumber,
    episode_end: own.endingEpisodeNumber,
    absolute: own.absoluteNumber,
    date: own.airDate,
    episode_title: own.episodeTitle,
    special: own.isSpecial,
    ids: own.providerIds,
  })
}

for (const half of ['', '_unseen']) {
  void t.test(`odd and ordinary names are parsed as intended: odd_films${half}`, (t) => {
    scoreRows(t, `odd_films${half}`, rowsOf<FilmRow>(`odd_films${half}`), filmDifference)
    t.end()
  })
  void t.test(`odd_episodes${half}`, (t) => {
    scoreRows(t, `odd_episodes${half}`, rowsOf<EpisodeRow>(`odd_episodes${half}`), episodeDifference)
    t.end()
  })
  void t.test(`odd_extras${half}`, (t) => {
    scoreRows(t, `odd_extras${half}`, rowsOf<ExtraRow>(`odd_extras${half}`), (row) =>
      wrongFields(row, { extra_type: detectExtraType(row.path) ?? null }),
    )
    t.end()
  })
}
