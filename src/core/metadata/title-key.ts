/** Letters that no accent can be taken from. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
}

/** Longer than any title; a provider's text is not trusted to be one. */
const MAX_CHARACTERS = 500

/**
 * A title for comparison with one that was written elsewhere: without accents, case, marks and a leading article, `&` as `and`. File
 * systems take no `:` and `?`, and people type no accents. Titles of marks alone keep them. Pure.
 */
export function titleKey(title: string): string {
  const plain = title
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter)
  const words = plain
    .replaceAll('&', ' and ')
    .replaceAll(/['’`´]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the|an?) (?=.)/, '')
  return words === '' ? plain.trim() : words
}
