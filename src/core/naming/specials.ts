import { AFTER_WORD, BEFORE_WORD } from './number-words.ts'

/** Words for episodes outside the seasons; openings and endings of animation without titles are extras of that kind too. */
const WORDS = new RegExp(
  String.raw`${BEFORE_WORD}(?:specials?|ova|ovd|oad|ncop|nced|nc op|nc ed|especial(?:es)?|speciale|sonderfolge|спешл)\d{0,2}${AFTER_WORD}`,
  'iu',
)

const FOLDER = /^(?:specials?|season 0+|s0+|especiales|speciali|спецвыпуски|minisodes|webisodes)$/i

/** Whether a folder holds the specials of a series: season 0 (design: scanning, layout facts; Jellyfin's names). */
export function isSpecialsFolder(name: string): boolean {
  return FOLDER.test(name.trim().replaceAll(/[._]/g, ' '))
}

/** Where a name says that it is a special (`OVA`, `NCED`, `Christmas Special`), or undefined. Spaces stand for dots. */
export function findSpecialWord(text: string, from: number): { start: number; end: number } | undefined {
  const match = WORDS.exec(text.slice(from))
  return match === null ? undefined : { start: from + match.index, end: from + match.index + match[0].length }
}
