import t from 'tap'
import { rowsQuery } from '../../../../../src/daemon/web/app/library/list-query.ts'
import { listOf } from '../../../../../src/daemon/web/app/places/place.ts'

void t.test('a list asks for its rows with its filters, and a search without an order', (t) => {
  t.equal(rowsQuery(listOf('7')), 'libraryId=7&topLevel=1&sort=name&include=user_data')
  t.equal(
    rowsQuery(listOf('', { sort: 'year', isDescending: true, genre: 'A & B' })),
    'genres=A+%26+B&topLevel=1&sort=year&order=desc&include=user_data',
  )
  t.equal(rowsQuery(listOf('', { words: 'x', kind: 'movies' })), 'search=x&types=movie&types=video&include=user_data')
  t.end()
})
