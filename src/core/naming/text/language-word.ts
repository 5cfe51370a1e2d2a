const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

let byName: ReadonlyMap<string, string> | undefined

/** English names of languages with two-letter codes: `french` is `fr`. Built on first use. */
function namedLanguages(): ReadonlyMap<string, string> {
  byName ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
      const name = NAMES.of(code)
      return name === undefined ? [] : [[name.toLowerCase(), code] as const]
    }),
  )
  return byName
}

/**
 * The language of a word, as a BCP 47 tag in its shortest form (`eng`, `fre` and `French` give `en` and `fr`), or undefined: two or three
 * letters of ISO 639, a tag with a region or script (`pt-BR`), or the English name.
 */
export function languageOf(word: string): string | undefined {
  const lower = word.toLowerCase().replaceAll('_', '-')
  if (!/^[a-z]{2,3}(?:-(?:[a-z]{2}|[a-z]{4}|\d{3}))?$/.test(lower)) return namedLanguages().get(lower)
  const [tag] = Intl.getCanonicalLocales(lower)
  return tag !== undefined && NAMES.of(tag) !== undefined ? tag : undefined
}
