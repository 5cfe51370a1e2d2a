import type { ItemGroup } from './media-kind.ts'
import { seasonGroup } from './series-location.ts'

const SEASON = /^season-?(\d{1,4}|specials)(?:-([a-z]+\d?))?$/

/**
 * Parses `season01-poster`, `season-specials-fanart` or `season02` in the folder of a series: returns the season and the word for the
 * kind of the picture; undefined for other names.
 * @param stem folded
 */
export function parseSeasonPictureName(
  stem: string,
  series: ItemGroup,
): { of: { group: ItemGroup }; word: string } | undefined {
  const [, season, word = 'poster'] = SEASON.exec(stem) ?? []
  if (season === undefined) return undefined
  return { of: { group: seasonGroup(series, season === 'specials' ? 0 : Number(season)) }, word }
}
