/** A title for comparison: NFC, lower case, dots and underscores as spaces, single spaces. */
export function foldTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim()
}

/**
 * The scripts in which combining marks are accents. In other scripts they are vowels or change the consonant: か and が are two syllables.
 */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
/** A gap between words; a combining mark after it is not a letter (the variation selectors of symbols). */
const GAP = /(?:[^\p{L}\p{M}\p{N}]\p{M}*)+|^\p{M}+/gu

/**
 * The words of a title, for comparing names from different sources: without accents on Latin, Greek and Cyrillic letters, without
 * punctuation, `&` as `and` (`Ocean's Eleven` and `Oceans.Eleven`, `Amélie` and `Amelie`). A title of symbols only is unchanged (`???`);
 * only an empty title gives ''.
 */
export function normalizedTitleWords(title: string): string {
  const words = title
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(ACCENTED, '$1')
    .replaceAll(/['’`]/g, '')
    .replaceAll(/[&+]/g, ' and ')
    .replaceAll(GAP, ' ')
    .trim()
    .normalize('NFC')
  return words === '' ? title.normalize('NFC').toLowerCase().trim() : words
}
