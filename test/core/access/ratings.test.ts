import { sql } from 'slonik'
import t from 'tap'
import { readAgeLimit } from '../../../src/core/access/index.ts'
import { testDatabase } from '../../support/database.ts'

/** Words by country, with their ages. */
const WORDS: Readonly<Record<string, Readonly<Record<string, number | null>>>> = {
  US: {
    G: 0,
    PG: 10,
    Approved: 10,
    Passed: 10,
    'PG-13': 13,
    R: 17,
    'NC-17': 18,
    X: 18,
    'TV-Y': 0,
    'TV-G': 0,
    'TV-Y7': 7,
    'TV-PG': 10,
    'TV-14': 14,
    'TV-MA': 17,
  },
  GB: { U: 0, PG: 8, '12': 12, '12A': 12, '15': 15, '18': 18, R18: 18 },
  DE: { '0': 0, '6': 6, '12': 12, '16': 16, '18': 18 },
  AT: { '8': 8, '10': 10, '14': 14 },
  AU: { G: 0, PG: 8, M: 15, 'MA15+': 15, 'MA 15+': 15, 'R18+': 18, 'R 18+': 18, 'X18+': 18, RC: 18, E: null },
  NZ: { G: 0, PG: 8, R13: 13, R15: 15, M: 16, R16: 16, R18: 18 },
  FR: { U: 0, TP: 0, '10': 10, '12': 12, '16': 16, '18': 18 },
  NL: { AL: 0, '6': 6, '9': 9, '12': 12, '14': 14, '16': 16, '18': 18 },
  IT: { T: 0, VM6: 6, '6+': 6, VM12: 12, VM14: 14, '14+': 14, VM18: 18, '18+': 18 },
  ES: { A: 0, TP: 0, '7': 7, '12': 12, '16': 16, '18': 18, X: 18 },
  DK: { A: 0, '7': 7, '11': 11, '15': 15 },
  NO: { A: 0, '9': 9 },
  CA: { C: 0, G: 0, C8: 8, PG: 8, '14A': 14, '14+': 14, '18A': 18, '18+': 18, R: 18, A: 18 },
  BR: { L: 0, '10': 10, A10: 10, A12: 12, A14: 14, A16: 16, A18: 18 },
  JP: { G: 0, PG12: 12, 'R15+': 15, 'R18+': 18 },
  KR: { ALL: 0, '12': 12, '15': 15, '19': 19, Restricted: 19 },
  IN: { U: 0, 'UA 7+': 7, 'UA 13+': 13, UA: 12, 'UA 16+': 16, A: 18 },
  COMIC: { Everyone: 0, 'Everyone 10+': 10, Teen: 13, 'MA15+': 15, 'Mature 17+': 17, 'Adults Only 18+': 18 },
}

/** Spellings without a known country. */
const SPELLINGS: Readonly<Record<string, number | null>> = {
  'rated r': 17 + 1,
  'Rated PG-13 for violence and language': 13,
  'US:R': 17,
  'us:pg-13': 13,
  'USA:PG-13': 13,
  'DE-16': 16,
  'de/16': 16,
  'FSK 16': 16,
  'fsk-12': 12,
  FSK6: 6,
  'DE:FSK 6': 6,
  'de:fsk-6': 6,
  'DE:FSK6': 6,
  'DE / FSK 12': 12,
  'DE/FSK 12': 12,
  'DE:6': 6,
  'US:Rated R': 17,
  'GB:BBFC 12A': 12,
  'PEGI 12': 12,
  'US:MPAA:PG-13': 13,
  FSKX: null,
  'SE:11': 11,
  'GB:15': 15,
  'UK:PG': 8,
  'BBFC U': 0,
  '  tv-ma ': 17,
  'PG 13': 13,
  PG13: 13,
  NC17: 18,
  'nc 17': 18,
  TVMA: 17,
  TV14: 14,
  'TV MA': 17,
  'US:NC17': 18,
  'UA16+': 16,
  '12+': 12,
  '21': 21,
  '22': null,
  '99': null,
  'US:PG / DE:16': 16,
  'PG-13, R18': 18,
  // In one country for everybody, in another one for adults: the highest counts.
  A: 18,
  M: 17,
  PG: 10,
  NR: null,
  'Not Rated': null,
  Unrated: null,
  '': null,
  'no idea': null,
  "'; drop table users; --": null,
  '١٢': null,
  '-5': null,
  '1e1': null,
}

void t.test('a content rating is the age that its board gives it', async (t) => {
  const { pool: db } = await testDatabase(t)
  const ageOf = (rating: string, country: string | null) =>
    db.oneFirst(sql.unsafe`select rating_age(${rating}, ${country})`)
  for (const [country, words] of Object.entries(WORDS)) {
    for (const [word, age] of Object.entries(words)) {
      t.equal(await ageOf(word, country), age, `${country}: ${word}`)
      t.equal(
        await ageOf(` rated ${word.toLowerCase()} `, country.toLowerCase()),
        age,
        `${country}: ${word}, in another spelling`,
      )
    }
  }
  for (const [rating, age] of Object.entries(SPELLINGS)) t.equal(await ageOf(rating, null), age, rating)
  t.equal(await ageOf('PG', 'SE'), 10, 'a country without the word: the highest of all')
  t.equal(await ageOf('x'.repeat(1_000_000), null), null, 'a long text costs little')
  t.equal(await ageOf('A-'.repeat(100), null), null)
  t.equal(await readAgeLimit(db, { text: 'PG-13', country: 'US' }), 13)
  await t.rejects(readAgeLimit(db, { text: 'grown-up', country: null }), { code: 'invalid_access' })
})
