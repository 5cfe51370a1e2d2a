import t from 'tap'
import { CODES_BY_NAME } from '../../../../src/core/naming/text/language-names.ts'
import { parseLanguageWord } from '../../../../src/core/naming/text/language-word.ts'

void t.test('the table of names has every two-letter code that has an English name', (t) => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const named = codes.flatMap((code) => {
    const name = names.of(code)?.toLowerCase()
    return name === undefined ? [] : [[name, code] as const]
  })
  t.strictSame(Object.fromEntries(CODES_BY_NAME), Object.fromEntries(named))
  t.end()
})

void t.test('a language is named by a code, a tag or its English name', (t) => {
  const rows: [word: string, language: string | undefined][] = [
    ['fr', 'fr'],
    ['fre', 'fr'],
    ['French', 'fr'],
    ['western frisian', 'fy'],
    ['pt_BR', 'pt-BR'],
    ['zh-hant', 'zh-Hant'],
    ['klingon', undefined],
    ['constructor', undefined],
    ['', undefined],
  ]
  for (const [word, language] of rows) t.equal(parseLanguageWord(word), language, word)
  t.end()
})
