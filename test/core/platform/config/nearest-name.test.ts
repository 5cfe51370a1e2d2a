import t from 'tap'
import { findNearestName } from '../../../../src/core/platform/config/index.ts'

const KNOWN = ['server.port', 'server.host', 'database.pool_size']

const ROWS: [wrong: string, nearest: string | undefined][] = [
  ['server.prot', 'server.port'],
  ['server.Host', 'server.host'],
  ['database.poolsize', 'database.pool_size'],
  ['entirely.different', undefined],
  ['', undefined],
]

void t.test('the nearest known name is found, and a distant one is not suggested', (t) => {
  for (const [wrong, nearest] of ROWS) t.equal(findNearestName(wrong, KNOWN), nearest, wrong)
  t.end()
})

void t.test('a name of a million characters is not compared', (t) => {
  t.equal(findNearestName('x'.repeat(1_000_000), KNOWN), undefined)
  t.end()
})
