import t from 'tap'
import { normalizedTitleWords } from '../../../../src/core/naming/text/fold-title.ts'

const WORDS: [title: string, words: string][] = [
  ['Amélie', 'amelie'],
  ['Ame\u0301lie', 'amelie'],
  ['Ocean’s.Eleven', 'oceans eleven'],
  ['Tom & Jerry', 'tom and jerry'],
  ['Ήλιος', 'ηλιος'],
  ['Ёлки', 'елки'],
  ['İstanbul', 'istanbul'],
  ['が', 'が'],
  ['か\u3099', 'が'],
  ['กิน', 'กิน'],
  ['किताब', 'किताब'],
  ['한국', '한국'],
  ['???', '???'],
  [' … ', '…'],
  ['...', '...'],
  ['❤️', '❤️'],
  ['Film ❤️ Two', 'film two'],
  ['\u0301', '\u0301'],
  ['', ''],
  [' ', ''],
]

void t.test(
  'titles are compared without accents, but with the combining marks that are letters of their script',
  (t) => {
    for (const [title, words] of WORDS)
      t.equal(normalizedTitleWords(title), words.normalize('NFC'), JSON.stringify(title))
    t.end()
  },
)

void t.test('titles that differ in more than accents stay different', (t) => {
  const titles = ['か', 'が', 'กิน', 'กน', 'कि', 'कु', '???', '!!!', '❤️', '☀️', 'Pilot', '']
  t.equal(new Set(titles.map(normalizedTitleWords)).size, titles.length)
  t.end()
})
