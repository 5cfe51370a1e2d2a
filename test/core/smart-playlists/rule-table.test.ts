import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { findItemsByRules } from '../../../src/core/smart-playlists/index.ts'
import { parseStoredRules } from '../../../src/core/smart-playlists/parse-rules.ts'
import {
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleOperator,
} from '../../../src/core/smart-playlists/rule-tree.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'

const { pool: db } = await testDatabase(t)

const NamedRow = z.strictObject({ id: z.string(), name: z.string() })

type Table = Partial<Record<RuleOperator, readonly [value: unknown, chosen: string][]>>

/** The names of the items of a library that one comparison selects, in their order. */
async function choose(
  libraryId: string,
  leaf: { field: RuleField; op: RuleOperator; value: unknown },
): Promise<string> {
  const selection = { rules: parseStoredRules(leaf), limit: 0, sortBy: 'addedAt', isDescending: false } as const
  const ids = await findItemsByRules({ db }, { libraryId, selection })
  const rows = await db.any(sql.type(NamedRow)`select id, name from media_items where library_id = ${libraryId}`)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((id) => names.get(id)).join(' ')
}

/** A library of items in the order of their list, one day after the other from 1 January 2026. */
async function make(items: Parameters<typeof makeItems>[2]): Promise<string> {
  const ids = await makeItems(db, t.testdir(), items)
  for (const [day, id] of ids.entries()) {
    await db.query(sql.unsafe`
      update media_items set added_at = timestamptz '2026-01-01Z' + ${day} * interval '1 day' where id = ${id}`)
  }
  return String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${ids[0] ?? ''}`))
}

/** Every operator that the field supports is in its table, and every other one is refused. */
function checkComplete(t: Test, field: RuleField, table: Table) {
  for (const op of RULE_OPERATORS) {
    if (table[op] !== undefined) continue
    for (const value of ['x', 5, ['x'], [1, 2]]) {
      t.throws(() => parseStoredRules({ field, op, value }), { code: 'invalid_rules' }, `${field} ${op} is refused`)
    }
  }
}

const KEYS: Partial<Record<RuleField, string>> = {
  genre: 'genres',
  rating: 'rating',
  studio: 'studio',
  director: 'director',
  actor: 'actors',
}

/** Possible values of an item in any field of texts. */
const EDGES: Readonly<Record<string, unknown>> = {
  missing: undefined,
  text: 'Drama',
  lower: 'drama',
  list: ['War', 'Drama'],
  named: [{ name: 'Drama', role: 'x' }],
  number: 1917,
  digits: '1917',
  blank: '  ',
  null: null,
  odd: [null, 5, true, {}, ['Drama'], { name: 5 }],
  padded: ' Drama ',
}

const TEXTS: Table = {
  equals: [
    ['Drama', 'text list named padded'],
    ['1917', 'digits'],
    ['', ''],
    ['War Drama', ''],
  ],
  notEquals: [
    ['Drama', 'missing lower number digits blank null odd'],
    ['', 'missing text lower list named number digits blank null odd padded'],
  ],
  contains: [
    ['ram', 'text lower list named padded'],
    ['DRAMA', ''],
    ['19', 'digits'],
    ['', 'text lower list named digits padded'],
    ['%', ''],
    ['War Dr', ''],
  ],
  notContains: [
    ['ram', 'missing number digits blank null odd'],
    ['', 'missing number blank null odd'],
  ],
  startsWith: [
    ['Dr', 'text list named padded'],
    ['W', 'list'],
    ['', 'text lower list named digits padded'],
    ['_rama', ''],
  ],
  endsWith: [
    ['ma', 'text lower list named padded'],
    ['r', 'list'],
    ['17', 'digits'],
    ['', 'text lower list named digits padded'],
  ],
  in: [
    [['Drama', '1917'], 'text list named digits padded'],
    [['', 'x'], ''],
    [[], ''],
    [Array.from({ length: 200 }, (_, n) => (n === 150 ? 'War' : `${n}`)), 'list'],
  ],
  notIn: [
    [['Drama', '1917'], 'missing lower number blank null odd'],
    [[], 'missing text lower list named number digits blank null odd padded'],
  ],
}

void t.test('every operator of every field of texts, for all possible values of an item (IN-09)', async (t) => {
  const libraryId = await make(
    Object.entries(EDGES).map(([name, value]) => ({
      name,
      metadata: Object.fromEntries(value === undefined ? [] : Object.values(KEYS).map((key) => [key, value])),
    })),
  )
  for (const field of Object.keys(KEYS) as RuleField[]) {
    checkComplete(t, field, TEXTS)
    for (const [op, cases] of Object.entries(TEXTS) as [RuleOperator, [unknown, string][]][]) {
      for (const [value, chosen] of cases) {
        t.equal(
          await choose(libraryId, { field, op, value }),
          chosen,
          `${field} ${op} ${JSON.stringify(value).slice(0, 40)}`,
        )
      }
    }
  }
})

const NAMES: Table = {
  equals: [
    ['Drama', 'Drama'],
    ['drama', 'drama'],
    ['', ''],
  ],
  notEquals: [['Drama', 'drama 1917 100%']],
  contains: [
    ['ram', 'Drama drama'],
    ['%', '100%'],
    ['', 'Drama drama 1917 100%'],
  ],
  notContains: [['ram', '1917 100%']],
  startsWith: [
    ['Dr', 'Drama'],
    ['1', '1917 100%'],
    ['', 'Drama drama 1917 100%'],
  ],
  endsWith: [
    ['ma', 'Drama drama'],
    ['0%', '100%'],
    ['', 'Drama drama 1917 100%'],
    ['a longer text than any name', ''],
  ],
  in: [
    [['Drama', '1917'], 'Drama 1917'],
    [[], ''],
  ],
  notIn: [[['Drama', '1917'], 'drama 100%']],
}

void t.test('every operator of the title', async (t) => {
  const libraryId = await make(['Drama', 'drama', '1917', '100%'].map((name) => ({ name })))
  checkComplete(t, 'title', NAMES)
  for (const [op, cases] of Object.entries(NAMES) as [RuleOperator, [unknown, string][]][]) {
    for (const [value, chosen] of cases) t.equal(await choose(libraryId, { field: 'title', op, value }), chosen, op)
  }
})

const SCORES: Table = {
  equals: [
    [7.5, 'score'],
    [0, 'zero'],
    [11, ''],
  ],
  notEquals: [[7.5, 'missing text list high zero beyond']],
  gt: [
    [7.5, 'high'],
    [-1e300, 'score high zero'],
  ],
  gte: [[7.5, 'score high']],
  lt: [
    [7.5, 'zero'],
    [1e300, 'score high zero'],
  ],
  lte: [[7.5, 'score zero']],
  between: [
    [[7.5, 8], 'score high'],
    [[7.5, 7.5], 'score'],
    [[7.6, 7.9], ''],
  ],
  in: [
    [[0, 7.5, 99], 'score zero'],
    [[], ''],
  ],
  notIn: [[[0, 7.5], 'missing text list high beyond']],
}

const YEARS: Table = {
  equals: [
    [1999, 'score'],
    [1999.5, ''],
  ],
  notEquals: [[1999, 'missing text list high zero beyond']],
  gt: [[1999, 'high zero']],
  gte: [[1999, 'score high zero']],
  lt: [[2000, 'score beyond']],
  lte: [[1999.5, 'score beyond']],
  between: [[[1999, 2000], 'score high']],
  in: [[[1, 2001], 'zero beyond']],
  notIn: [[[1, 2001], 'missing text list score high']],
}

const DAYS: Table = {
  equals: [
    ['2026-01-04', 'score'],
    ['2026-01-04T01:00:00+01:00', 'score'],
    [Date.parse('2026-01-04') / 1000, 'score'],
    ['2026-01-04T00:00:00.001Z', ''],
  ],
  notEquals: [['2026-01-04', 'missing text list high zero beyond']],
  gt: [
    ['2026-01-04', 'high zero beyond'],
    [-1e300, 'missing text list score high zero beyond'],
    [1e300, ''],
  ],
  gte: [['2026-01-04', 'score high zero beyond']],
  lt: [
    ['2026-01-04', 'missing text list'],
    [1e300, 'missing text list score high zero beyond'],
  ],
  lte: [['2026-01-04', 'missing text list score']],
  between: [[['2026-01-02', '2026-01-04'], 'text list score']],
  in: [
    [['2026-01-02', '2026-01-09', 0], 'text'],
    [[], ''],
  ],
  notIn: [[['2026-01-02', 5], 'missing list score high zero beyond']],
}

void t.test(
  'every operator of every field of numbers; a number as text is none, and none fits only a negation',
  async (t) => {
    const libraryId = await make([
      { name: 'missing', year: null },
      { name: 'text', year: null, metadata: { vote_average: '7.5', year: '1999' } },
      { name: 'list', year: null, metadata: { vote_average: [7.5] } },
      { name: 'score', year: 1999, metadata: { vote_average: 7.5 } },
      { name: 'high', year: 2000, metadata: { vote_average: 8 } },
      { name: 'zero', year: 2001, metadata: { vote_average: 0 } },
      { name: 'beyond', year: 1, metadata: { vote_average: 11 } },
    ])
    for (const [field, table] of [
      ['criticScore', SCORES],
      ['year', YEARS],
      ['addedAt', DAYS],
    ] as const) {
      checkComplete(t, field, table)
      for (const [op, cases] of Object.entries(table) as [RuleOperator, [unknown, string][]][]) {
        for (const [value, chosen] of cases) {
          t.equal(await choose(libraryId, { field, op, value }), chosen, `${field} ${op} ${JSON.stringify(value)}`)
        }
      }
    }
    t.strictSame(
      Object.keys(RULE_FIELDS).toSorted(),
      [...Object.keys(KEYS), 'title', 'criticScore', 'year', 'addedAt'].toSorted(),
    )
  },
)
