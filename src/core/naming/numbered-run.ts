/** A number without a word for it, as the name of a file has it. */
export type CountedNumber = {
  value: number
  digits: number
  /** Whether a group name precedes it, as on animation, where numbers count from the first episode on. */
  hasGroup: boolean
  /** Whether a dash stands before it: `Show - 135`. */
  isSetOff: boolean
  /** Of the file's name or its folder. */
  season: number | null
}

/** No season has more episodes that are numbered with their season: `145` would be 1x45. */
const LAST_OF_SEASON = 40
/** Who keeps a part of a season keeps some of its first half too. */
const LAST_FIRST = 26
/** No season has as many specials (`001`), and none is as far below the next hundred without reaching for it. */
const MAX_SPECIALS = 25
/** A season begins here; the first may be a double episode or missing. */
const FIRST_OF_SEASON = 3

/**
 * Whether the numbers of one series in one folder count from its first episode on (`001` to `220`), where each by itself could be a season
 * and an episode (`117` as 1x17). They do when they cannot all be places in seasons: one is too high, none is low, a season begins too
 * late, or the season of the folder is another one. Where both are possible they are seasons, as broadcasters number, and so is one without neighbours, unless a dash sets it off.
 */
export function countsThrough(numbers: readonly CountedNumber[]): boolean {
  const whole = numbers.filter(({ value }) => Number.isInteger(value))
  const open = whole.filter(({ value, digits }) => digits > 3 || value > 99)
  if (open.length === 0 || (whole.length === 1 && open[0]?.isSetOff !== true)) return false
  if (whole.some(({ hasGroup }) => hasGroup)) return true
  if (open.some(({ value, season }) => season !== null && Math.floor(value / 100) !== season)) return true
  const places = open.map(({ value }) => value % 100)
  if (Math.max(...places) > LAST_OF_SEASON || Math.min(...places) > LAST_FIRST) return true
  const low = Math.max(0, ...whole.filter((number) => !open.includes(number)).map(({ value }) => value))
  return low > MAX_SPECIALS || (low > 1 && beginsLate(open))
}

/** Whether a season would begin in its middle. */
function beginsLate(open: readonly CountedNumber[]): boolean {
  const firsts = new Map<number, number>()
  for (const { value } of open) {
    const season = Math.floor(value / 100)
    firsts.set(season, Math.min(firsts.get(season) ?? value, value))
  }
  return [...firsts.values()].some((value) => value % 100 > FIRST_OF_SEASON)
}
