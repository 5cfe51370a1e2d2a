import t from 'tap'
import { findEdition, mayEndInEdition } from '../../../../src/core/naming/release/editions.ts'

const ENDS = [
  'Extended',
  'LiMiTED',
  'DC',
  'Directors Cut',
  "Director's Cut",
  'Special Edition',
  'Edition Collector',
  '50th Anniversary Edition',
]

void t.test('a text that ends in an edition is searched for it, however far apart its words are', (t) => {
  for (const end of ENDS) {
    for (const gap of [' ', '.', ' - ', '.'.repeat(500)]) {
      const text = `A Film ${end.replaceAll(' ', gap)}`
      t.ok(findEdition(text, false), text)
      for (const tail of ['', ' ]', '.'.repeat(500)]) t.ok(mayEndInEdition(text + tail), text + tail)
    }
  }
  t.end()
})

void t.test('names with other ends are not', (t) => {
  for (const name of [
    'A Film',
    'Edition of a Film',
    'The Collector',
    `Extended ${'Film '.repeat(50)}`,
    'Wood Cutter',
    'Film 2001',
  ]) {
    t.notOk(mayEndInEdition(name), name)
  }
  t.end()
})
