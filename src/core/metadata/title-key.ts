/** Letters that Unicode decomposition does not reduce to a base letter. */
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

/** Longer than any title; text from a provider is untrusted. */
const MAX_CHARACTERS = 500

/**
 * Normalizes a title for comparison: without accents, case, punctuation and a leading article, `&` as `and`. File systems do not allow
 * `:` and `?`, and people omit accents. Titles of punctuation alone keep it. Pure.
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
