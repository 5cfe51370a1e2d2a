import type { TitleCandidate } from './provider-facts.ts'
import { titleKey } from './title-key.ts'

/** The title to search, and the year of its first release if it is known. */
export type WantedTitle = {
  title: string
  year: number | null
  /** The id of an earlier match. It decides between two candidates that match equally well. */
  knownId?: string | undefined
}

/** A premiere abroad or at a festival can be in another year than the release that a file is named after. */
const YEARS_APART = 1

/**
 * The unambiguous candidate: the same title, in this language or the original one, at most a year apart. Of several, the nearest in time,
 * then the most popular is chosen. Undefined if none matches. Pure.
 */
export function chooseCandidate(
  candidates: readonly TitleCandidate[],
  wanted: WantedTitle,
): TitleCandidate | undefined {
  const key = titleKey(wanted.title)
  const fitting = candidates.filter(
    (one) => yearsApart(one, wanted) <= YEARS_APART && titlesOf(one).some((title) => titleKey(title) === key),
  )
  return best(fitting, wanted)
}

/**
 * The candidate whose alternative titles are worth one more request: the best candidate of the right year. Undefined without a year, or if
 * no candidate has the year.
 */
export function chooseUncertainCandidate(
  candidates: readonly TitleCandidate[],
  wanted: WantedTitle,
): TitleCandidate | undefined {
  if (wanted.year === null) return undefined
  return best(
    candidates.filter((one) => one.year !== null && yearsApart(one, wanted) <= YEARS_APART),
    wanted,
  )
}

/**
 * Whether a candidate is confirmed by its complete list of titles: a title equals the wanted one, or one of the two is the beginning of the
 * other, in the same year (`Dr. Strangelove` and its long subtitle).
 */
export function isConfirmedByTitles(titles: readonly string[], year: number | null, wanted: WantedTitle): boolean {
  const key = titleKey(wanted.title)
  const keys = titles.map(titleKey)
  if (keys.includes(key)) return true
  if (wanted.year === null || year !== wanted.year || key.length < SHORTEST_BEGINNING) return false
  return keys.some(
    (other) => other.startsWith(`${key} `) || (other.length >= SHORTEST_BEGINNING && key.startsWith(`${other} `)),
  )
}

/** Shorter beginnings such as `It` match too many titles. */
const SHORTEST_BEGINNING = 6

function titlesOf({ title, originalTitle }: TitleCandidate): string[] {
  return originalTitle === null ? [title] : [title, originalTitle]
}

/** 0 if no year is wanted; a candidate without a year does not fit a wanted year. */
function yearsApart({ year }: TitleCandidate, wanted: WantedTitle): number {
  if (wanted.year === null) return 0
  return year === null ? Number.POSITIVE_INFINITY : Math.abs(year - wanted.year)
}

function best(candidates: readonly TitleCandidate[], wanted: WantedTitle): TitleCandidate | undefined {
  return candidates.toSorted(
    (one, other) =>
      Number(other.id === wanted.knownId) - Number(one.id === wanted.knownId) ||
      yearsApart(one, wanted) - yearsApart(other, wanted) ||
      other.popularity - one.popularity,
  )[0]
}
