import { type EpisodeMarker } from './episode-marker.ts'
import { firstMatch } from '../text/name-text.ts'
import { WORD_END, WORD_START } from '../text/number-words.ts'

/** Words for episodes outside the seasons; creditless openings and endings of anime are specials too. */
const WORDS = new RegExp(
  String.raw`${WORD_START}(?:specials?|ova|ovd|oad|ncop|nced|nc op|nc ed|especial(?:es)?|speciale|sonderfolge|спешл)\d{0,2}${WORD_END}`,
  'iu',
)

/** `SP01`, `OVA_02`, `OAD - 01`, `Special 1`: numbered specials. `SP` may be a word of a title unless a number touches it. */
const NUMBERED = new RegExp(
  String.raw`${WORD_START}(sp(?=\d)|(?:ova|ovd|oad|specials?|especial|sonderfolge|спешл)(?=[ #-]{0,3}\d))[ #-]{0,3}(\d{1,3})(?:v\d)?(?![\p{L}\p{N}]|-\d)`,
  'giu',
)

/** The number of a special after a word for specials. */
export function findSpecialMarker(text: string): EpisodeMarker | undefined {
  const match = firstMatch(text, NUMBERED)
  if (match === null) return undefined
  const end = match.index + match[0].length
  return {
    start: match.index,
    end,
    season: null,
    episode: Number(match[2]),
    ending: null,
    special: (match[1] ?? '').toLowerCase(),
  }
}

const FOLDER = /^(?:specials?|season 0+|s0+|especiales|speciali|спецвыпуски|minisodes|webisodes)$/i

/** Whether a folder holds the specials of a series, season 0. The accepted names are the same as in Jellyfin. */
export function isSpecialsFolder(name: string): boolean {
  return FOLDER.test(name.trim().replaceAll(/[._]/g, ' '))
}

/** The position of a word for specials in a name (`OVA`, `NCED`, `Christmas Special`), or undefined. Spaces replace dots. */
export function findSpecialWord(text: string, from: number): { start: number; end: number } | undefined {
  const match = WORDS.exec(text.slice(from))
  return match === null ? undefined : { start: from + match.index, end: from + match.index + match[0].length }
}
