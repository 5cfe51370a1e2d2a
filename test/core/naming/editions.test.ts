import t from 'tap'
import { findEdition, mayEndInEdition } from '../../../src/core/naming/editions.ts'

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

void t.test('what ends in an edition is looked through for it, however far its words stand apart', (t) => {
  for (const end of ENDS) {
    for (const gap of [' ', '.', ' - ', '.'.repeat(500)]) {
      const text = `A Film ${end.replaceAll(' ', gap)}`
      t.ok(findEdition(text, false), text)
      for (const tail of ['', ' ]', '.'.repeat(500)]) t.ok(mayEndInEdition(text + tail), text + tail)
    }
  }
  t.end()
})

void t.test('names that end otherwise are not', (t) => {
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
