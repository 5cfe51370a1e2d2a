/** A title for comparison: NFC, no capitals, dots and underscores as spaces, single spaces. */
export function foldTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim()
}

/** Where marks are accents. In other scripts they are vowels and voices: か and が are two syllables. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
/** Between words; marks behind it are no letters (the variation selectors of symbols). */
const GAP = /(?:[^\p{L}\p{M}\p{N}]\p{M}*)+|^\p{M}+/gu

/**
 * The words of a title, for comparing names that different people wrote: no accents above Latin, Greek and Cyrillic letters, no marks
 * between words, `&` as `and` (`Ocean's Eleven` and `Oceans.Eleven`, `Amélie` and `Amelie`). A title of nothing but symbols stays as it
 * is (`???`); only an empty one gives ''.
 */
export function plainWords(title: string): string {
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
