import t from 'tap'
import type { Output } from '../../../../src/commands/_support/output/output.ts'
import { replaceControlCharacters, renderTable } from '../../../../src/commands/_support/output/table.ts'

/** An output without styles; only its width matters here. */
function outputOfWidth(width: number | undefined): Output {
  return { result: () => {}, message: () => {}, style: (_stream, _style, text) => text, width: () => width }
}

type Row = { name: string; count: number }
const columns = [
  { title: 'name', text: (row: Row) => row.name },
  { title: 'count', text: (row: Row) => String(row.count), alignRight: true },
  { title: 'again', text: (row: Row) => row.name },
]
const rows = [
  { name: 'Amélie', count: 7 },
  { name: 'Ran', count: 1204 },
]

void t.test('columns are padded, numbers to the right, without trailing spaces', (t) => {
  const text = renderTable(columns, rows, { plain: false, output: outputOfWidth(undefined) })
  t.equal(text, 'NAME    COUNT  AGAIN\nAmélie      7  Amélie\nRan      1204  Ran')
  t.end()
})

void t.test('a line is cut to the terminal, and never when it is piped', (t) => {
  const narrow = renderTable(columns, rows, { plain: false, output: outputOfWidth(12) })
  t.strictSame(narrow.split('\n'), ['NAME    COU…', 'Amélie     …', 'Ran      12…'])
  t.end()
})

void t.test('plain rows are separated by tabs and have no head', (t) => {
  const text = renderTable(columns, rows, { plain: true, output: outputOfWidth(12) })
  t.equal(text, 'Amélie\t7\tAmélie\nRan\t1204\tRan')
  t.equal(renderTable(columns, [], { plain: true, output: outputOfWidth(12) }), '')
  t.end()
})

void t.test('a cell cannot move the cursor, break its line or ring', (t) => {
  t.equal(replaceControlCharacters('a\nb\tc\u001B[31md\u0007\u2028'), 'a?b?cd??')
  t.equal(replaceControlCharacters('\u009B31mx'), 'x')
  t.end()
})
