import t from 'tap'
import { canonicalKey, sortTitle } from '../../../../src/core/naming/index.ts'

const TITLES: [name: string, sorted: string][] = [
  ['The Matrix', 'Matrix'],
  ['A Beautiful Mind', 'Beautiful Mind'],
  ['An Education', 'Education'],
  ['the matrix', 'matrix'],
  ['Them!', 'Them!'],
  ['A.I. Artificial Intelligence', 'A.I. Artificial Intelligence'],
  ['Another Year', 'Another Year'],
  ['The', 'The'],
  ['A', 'A'],
  ['The The', 'The'],
  ['...And Justice for All', 'And Justice for All'],
  ['[rec]', 'rec]'],
  ['(500) Days of Summer', '500) Days of Summer'],
  ['"The Room"', 'Room"'],
  ['Die Hard', 'Die Hard'],
  ['千と千尋の神隠し', '千と千尋の神隠し'],
  ['Ame\u0301lie', 'Am\u00E9lie'],
  ['...', '...'],
  ['', ''],
]

void t.test('titles are sorted by their first word that is not an English article', (t) => {
  for (const [name, sorted] of TITLES) t.equal(sortTitle(name), sorted, JSON.stringify(name))
  t.end()
})

void t.test('the canonical key of a file is its normalized name, its size and its type', (t) => {
  const key = canonicalKey('Amélie.MKV', 42, 'movie')
  t.equal(canonicalKey('AME\u0301LIE.mkv', 42, 'movie'), key, 'decomposed and in capitals')
  t.not(canonicalKey('Amélie.mkv', 43, 'movie'), key, 'other size')
  t.not(canonicalKey('Amélie.mkv', 42, 'video'), key, 'other type')
  t.not(canonicalKey('Amelie.mkv', 42, 'movie'), key, 'other name')
  t.end()
})
