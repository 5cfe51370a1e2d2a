/** A bare number in the name of a file. */
export type BareFileNumber = {
  value: number
  digits: number
  /** Whether it begins with a group name, as in anime, where numbers are absolute. */
  hasGroup: boolean
  /** Whether a dash precedes it: `Show - 135`. */
  hasDashBefore: boolean
  /** The season in the file name or its folder. */
  season: number | null
}

/** No season has more episodes if the number includes the season: `145` would be 1x45. */
const LAST_OF_SEASON = 40
/** The highest first episode of an incomplete season: it usually contains some of its first half too. */
const LAST_FIRST = 26
/** The highest number below 100 that may be a special (`001`). A higher one shows that the numbering is absolute. */
const MAX_SPECIALS = 25
/** A season begins here; the first may be a double episode or missing. */
const FIRST_OF_SEASON = 3

/**
 * Whether the numbers of one series in one folder are absolute (`001` to `220`), if each by itself could be a season and an episode
 * (`117` as 1x17). They are absolute if they cannot all be relative to seasons: one is too high, none is low, a season begins too late,
 * or the folder has another season. If both are possible they are relative to seasons, as broadcasters number. A number without
 * neighbours is also relative, unless a dash precedes it.
 */
export function isAbsoluteNumbering(numbers: readonly BareFileNumber[]): boolean {
  const whole = numbers.filter(({ value }) => Number.isInteger(value))
  const open = whole.filter(({ value, digits }) => digits > 3 || value > 99)
  if (open.length === 0 || (whole.length === 1 && open[0]?.hasDashBefore !== true)) return false
  if (whole.some(({ hasGroup }) => hasGroup)) return true
  if (open.some(({ value, season }) => season !== null && Math.floor(value / 100) !== season)) return true
  const places = open.map(({ value }) => value % 100)
  if (Math.max(...places) > LAST_OF_SEASON || Math.min(...places) > LAST_FIRST) return true
  const low = Math.max(0, ...whole.filter((number) => !open.includes(number)).map(({ value }) => value))
  return low > MAX_SPECIALS || (low > 1 && beginsLate(open))
}

/** Whether a season would begin in its middle. */
function beginsLate(open: readonly BareFileNumber[]): boolean {
  const firsts = new Map<number, number>()
  for (const { value } of open) {
    const season = Math.floor(value / 100)
    firsts.set(season, Math.min(firsts.get(season) ?? value, value))
  }
  return [...firsts.values()].some((value) => value % 100 > FIRST_OF_SEASON)
}
