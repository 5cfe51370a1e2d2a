import t from 'tap'
import { AppError } from '../../../src/core/platform/errors/index.ts'
import { parseStoredRules, parseUntrustedRules } from '../../../src/core/smart-playlists/parse-rules.ts'

const leaf = { field: 'title', op: 'equals', value: 'x' }

/** A tree with a number of levels. */
const deep = (levels: number): object =>
  Array.from({ length: levels - 1 }).reduce<object>((inner) => ({ logic: 'and', rules: [inner] }), leaf)

/** The path of the invalid node; undefined for valid rules. */
function wrongPath(given: unknown): unknown {
  try {
    parseStoredRules(given)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_rules') throw error
    return error.details?.['path']
  }
}

void t.test('rules are parsed from text or from values, without unknown keys', (t) => {
  const tree = {
    logic: 'or',
    rules: [
      { logic: 'not', rules: [leaf] },
      { field: 'year', op: 'between', value: [1999, 2001] },
    ],
  }
  t.strictSame(parseStoredRules(JSON.stringify(tree)), tree)
  t.strictSame(parseStoredRules({ ...tree, id: 5, rules: [{ ...leaf, user_id: 'x' }] }), { logic: 'or', rules: [leaf] })
  t.strictSame(parseStoredRules({ logic: 'and', rules: [] }), { logic: 'and', rules: [] })
  t.end()
})

void t.test('the limits of levels, nodes and values are as documented (IN-09)', (t) => {
  const wide = (count: number) => ({ logic: 'and', rules: Array.from({ length: count }, () => leaf) })
  const list = (length: number) => ({ field: 'year', op: 'in', value: Array.from({ length }, (_, index) => index) })
  t.equal(wrongPath(deep(32)), undefined)
  t.equal(wrongPath(deep(33)), `rules[0]${'.rules[0]'.repeat(31)}`)
  t.equal(wrongPath('{"logic":"and","rules":['.repeat(30_000)), '', 'no JSON at all')
  t.ok(wrongPath(`${'{"logic":"and","rules":['.repeat(30_000)}${']}'.repeat(30_000)}`))
  t.equal(wrongPath(wide(999)), undefined)
  t.equal(wrongPath(wide(1000)), 'rules[999]')
  t.equal(wrongPath(list(1000)), undefined)
  t.equal(wrongPath(list(10_000)), 'value')
  t.equal(wrongPath({ ...leaf, value: 'x'.repeat(1000) }), undefined)
  t.equal(wrongPath({ ...leaf, value: 'x'.repeat(1001) }), 'value')
  t.end()
})

void t.test('a node that is not allowed is named by its path (IN-09)', (t) => {
  const year = (op: string, value: unknown) => ({ field: 'year', op, value })
  const cases: [node: unknown, path: string][] = [
    ['{', ''],
    ['', ''],
    ['5', ''],
    [5, ''],
    [[], ''],
    [true, ''],
    [{}, 'field'],
    [{ ...leaf, field: 'name' }, 'field'],
    [{ ...leaf, field: '__proto__' }, 'field'],
    [JSON.parse('{"__proto__":{"field":"title"},"op":"equals","value":"x"}'), 'field'],
    [{ ...leaf, field: 'constructor' }, 'field'],
    [{ ...leaf, field: 'toString' }, 'field'],
    [{ ...leaf, field: ['title'] }, 'field'],
    [{ ...leaf, op: 'like' }, 'op'],
    [{ ...leaf, op: '__proto__' }, 'op'],
    [{ ...leaf, op: 'gt' }, 'op'],
    [{ ...leaf, op: 'between', value: ['a', 'b'] }, 'op'],
    [year('contains', '19'), 'op'],
    [{ ...leaf, value: 5 }, 'value'],
    [{ ...leaf, value: null }, 'value'],
    [{ ...leaf, value: ['x'] }, 'value'],
    [{ ...leaf, value: 'a\0b' }, 'value'],
    [{ ...leaf, value: '\ud83d' }, 'value'],
    [{ field: 'title', op: 'equals' }, 'value'],
    [{ ...leaf, op: 'in' }, 'value'],
    [{ ...leaf, op: 'in', value: ['x', 5] }, 'value'],
    [{ ...leaf, op: 'in', value: { length: 1, 0: 'x' } }, 'value'],
    [year('equals', '1999'), 'value'],
    [year('equals', true), 'value'],
    [year('equals', Number.NaN), 'value'],
    ['{"field":"year","op":"gt","value":1e999}', 'value'],
    [year('in', ['1999']), 'value'],
    [year('between', 1999), 'value'],
    [year('between', [1999]), 'value'],
    [year('between', [1999, 2000, 2001]), 'value'],
    [year('between', ['1999', '2000']), 'value'],
    [year('between', [2001, 1999]), 'value'],
    [{ field: 'addedAt', op: 'gt', value: 'yesterday' }, 'value'],
    [{ field: 'addedAt', op: 'gt', value: '2026-13-01' }, 'value'],
    [{ field: 'addedAt', op: 'gt', value: `2026-01-01${' '.repeat(100_000)}` }, 'value'],
    [{ field: 'addedAt', op: 'between', value: ['2026-02-01', '2026-01-01'] }, 'value'],
    [{ logic: 'AND', rules: [leaf] }, 'logic'],
    [{ logic: 'xor', rules: [leaf] }, 'logic'],
    [{ logic: undefined, rules: [leaf] }, 'logic'],
    [{ logic: 'and' }, 'rules'],
    [{ logic: 'and', rules: leaf }, 'rules'],
    [{ logic: 'not', rules: [] }, 'rules'],
    [{ logic: 'not', rules: [leaf, leaf] }, 'rules'],
    [{ logic: 'and', rules: [null] }, 'rules[0]'],
  ]
  for (const [node, path] of cases) {
    t.equal(wrongPath(node), path, JSON.stringify(node)?.slice(0, 80))
    if (typeof node === 'string') continue
    const inside = path === '' ? 'rules[0].rules[2]' : `rules[0].rules[2].${path}`
    t.equal(wrongPath({ logic: 'and', rules: [{ logic: 'or', rules: [leaf, leaf, node] }] }), inside)
  }
  t.end()
})

void t.test('a time is a number of Unix seconds or a date, in UTC unless it says otherwise', (t) => {
  for (const value of [
    0,
    -5.5,
    '2026-01-31',
    '2026-01-31 12:00:00',
    '2026-01-31T12:00:00.123Z',
    '2026-01-31T12:00:00+02:00',
  ]) {
    t.equal(wrongPath({ field: 'addedAt', op: 'gte', value }), undefined, String(value))
  }
  const same = ['2026-01-31 12:00:00', '2026-01-31T14:00:00+02:00']
  t.equal(wrongPath({ field: 'addedAt', op: 'between', value: same }), undefined)
  t.equal(wrongPath({ field: 'addedAt', op: 'between', value: same.toReversed() }), undefined)
  t.end()
})

void t.test('text of a request that would block the parser is refused before it is parsed', (t) => {
  const code = (text: string): string => {
    try {
      parseUntrustedRules(text)
      return 'accepted'
    } catch (error) {
      return error instanceof AppError ? `${error.code}: ${error.text}` : 'unexpected'
    }
  }
  const tooMany = 'invalid_rules: rules_json has too many levels or values'
  t.equal(code('['.repeat(190_000)), tooMany)
  t.equal(code(`[${'{},'.repeat(20_000)}{}]`), tooMany)
  t.equal(code('x'.repeat(3 * 64 * 1024 + 1)), 'invalid_rules: rules_json is larger than 65536 bytes')
  t.equal(code('['), 'invalid_rules: rules_json is no JSON')
  t.equal(code('{"logic":"and","rules":[]}'), 'accepted')
  t.end()
})
