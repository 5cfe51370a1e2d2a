import { WORD_END, parseNumberWord, SPELLED_NUMBERS } from '../text/number-words.ts'

const PART = new RegExp(String.raw`[ ,:–-]{1,3}\(?(?:part|pt)[ -]?(\d{1,2}|${SPELLED_NUMBERS})${WORD_END}\)?$`, 'iu')

/**
 * Splits the part number from the end of the title of a multi-part episode: `Fog of War Part 1`, `Halloween, Part Two`,
 * `Unmasked-pt1`. A title that is only a part number (`Part 3`) is not changed.
 */
export function splitEpisodePart(title: string): { title: string; part: number | null } {
  const match = PART.exec(title)
  const part = parseNumberWord(match?.[1]?.toLowerCase())
  if (match === null || part === null || match.index === 0) return { title, part: null }
  return { title: title.slice(0, match.index), part }
}
