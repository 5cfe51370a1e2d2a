import type { Candidate } from './facts.ts'
import { titleKey } from './title-key.ts'

/** What is looked for: a title, and the year of its first release where it is known. */
export type WantedTitle = {
  title: string
  year: number | null
  /** The number that the item was matched with before; of two that fit equally well it is the one. */
  knownId?: string | undefined
}

/** Premieres abroad and on festivals lie in another year than the release that a file is named after. */
const YEARS_APART = 1

/**
 * The candidate that is meant beyond doubt: the same title, in this language or at home, at most a year apart. Of several the nearest in
 * time, then the most popular. Undefined when none is. Pure.
 */
export function chooseCandidate(candidates: readonly Candidate[], wanted: WantedTitle): Candidate | undefined {
  const key = titleKey(wanted.title)
  const fitting = candidates.filter(
    (one) => yearsApart(one, wanted) <= YEARS_APART && titlesOf(one).some((title) => titleKey(title) === key),
  )
  return best(fitting, wanted)
}

/**
 * The candidate that is worth one look at everything it is called elsewhere: the best of those of the right year; without a year, or with
 * none of it, nobody.
 */
export function chooseDoubtful(candidates: readonly Candidate[], wanted: WantedTitle): Candidate | undefined {
  if (wanted.year === null) return undefined
  return best(
    candidates.filter((one) => one.year !== null && yearsApart(one, wanted) <= YEARS_APART),
    wanted,
  )
}

/**
 * Whether a title that was looked at closely is the one that was meant: it is called so somewhere, or one of the two names goes on where the
 * other ends, in the same year (`Dr. Strangelove` and its long subtitle).
 */
export function isConfirmed(titles: readonly string[], year: number | null, wanted: WantedTitle): boolean {
  const key = titleKey(wanted.title)
  const keys = titles.map(titleKey)
  if (keys.includes(key)) return true
  if (wanted.year === null || year !== wanted.year || key.length < SHORTEST_BEGINNING) return false
  return keys.some(
    (other) => other.startsWith(`${key} `) || (other.length >= SHORTEST_BEGINNING && key.startsWith(`${other} `)),
  )
}

/** `It` begins too many titles. */
const SHORTEST_BEGINNING = 6

function titlesOf({ title, originalTitle }: Candidate): string[] {
  return originalTitle === null ? [title] : [title, originalTitle]
}

/** 0 when nobody says a year; a candidate without one does not fit a wanted year. */
function yearsApart({ year }: Candidate, wanted: WantedTitle): number {
  if (wanted.year === null) return 0
  return year === null ? Number.POSITIVE_INFINITY : Math.abs(year - wanted.year)
}

function best(candidates: readonly Candidate[], wanted: WantedTitle): Candidate | undefined {
  return candidates.toSorted(
    (one, other) =>
      Number(other.id === wanted.knownId) - Number(one.id === wanted.knownId) ||
      yearsApart(one, wanted) - yearsApart(other, wanted) ||
      other.popularity - one.popularity,
  )[0]
}
