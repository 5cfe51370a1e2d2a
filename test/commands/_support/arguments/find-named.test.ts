import t from 'tap'
import { findNamed, listNames } from '../../../../src/commands/_support/arguments/find-named.ts'

const rows = [
  { id: 'a', name: 'Films' },
  { id: 'b', name: 'films' },
  { id: 'c', name: 'Cartoons' },
  { id: 'd', name: 'Twice' },
  { id: 'e', name: 'Twice' },
]
const find = (idOrName: string) => findNamed(rows, { idOrName, kind: 'libraries' })?.id

void t.test('a row is found by id, by name, and by a name in another case that only one has', (t) => {
  t.strictSame(['A', 'Films', 'films', 'CARTOONS', 'Music'].map(find), ['a', 'a', 'b', 'c', undefined])
  for (const [name, ids] of [
    ['FILMS', 'a (Films), b (films)'],
    ['Twice', 'd (Twice), e (Twice)'],
  ] as const) {
    t.throws(() => find(name), { code: 'usage', message: `2 libraries have this name; give an id: ${ids}` })
  }
  t.end()
})

void t.test('the names that exist are listed unless there are none, or too many', (t) => {
  t.equal(listNames(rows.slice(0, 2), { kind: 'libraries' }), 'the libraries are "Films", "films"; ')
  t.equal(listNames([], { kind: 'libraries' }), '')
  t.equal(
    listNames(
      Array.from({ length: 9 }, () => ({ id: 'x', name: 'X' })),
      { kind: 'libraries' },
    ),
    '',
  )
  t.end()
})
