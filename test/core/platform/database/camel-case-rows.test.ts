import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { violatedUniqueConstraint } from '../../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../../support/database.ts'

const { pool } = await testDatabase(t)

void t.test(
  'columns arrive in camelCase and typed: int8 and numeric as numbers, timestamptz as Date, date as text',
  async (t) => {
    const row = await pool.one(sql.type(
      z.strictObject({
        bigCount: z.number(),
        ratio: z.number(),
        createdAt: z.date(),
        onDay: z.string(),
        tags: z.array(z.string()),
      }),
    )`select 9007199254740991::int8 as big_count, 1.5::numeric as ratio, timestamptz '2026-01-02T03:04:05Z' as created_at,
    date '2026-01-02' as on_day, array['a','b'] as tags`)
    t.strictSame(row, {
      bigCount: Number.MAX_SAFE_INTEGER,
      ratio: 1.5,
      createdAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
      onDay: '2026-01-02',
      tags: ['a', 'b'],
    })
  },
)

void t.test('a row that does not match its schema is an error', async (t) => {
  await t.rejects(pool.one(sql.type(z.strictObject({ name: z.string() }))`select 1 as name`), {
    name: /SchemaValidation|Error/,
  })
  await t.rejects(pool.one(sql.type(z.strictObject({ name: z.string() }))`select 'a' as name, 1 as unexpected`))
})

void t.test('a bigint that a number cannot hold exactly is refused', async (t) => {
  await t.rejects(pool.one(sql.type(z.strictObject({ n: z.number() }))`select 9007199254740993::int8 as n`))
})

void t.test('a unique violation names its constraint, other errors do not', async (t) => {
  await pool.query(sql.unsafe`create table parse_rows_test (id int constraint the_one unique)`)
  await pool.query(sql.unsafe`insert into parse_rows_test values (1)`)
  const error = await pool.query(sql.unsafe`insert into parse_rows_test values (1)`).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  t.equal(violatedUniqueConstraint(error), 'the_one')
  t.equal(violatedUniqueConstraint(new Error('x')), undefined)
})

void t.test('a time outside of the range of Date is an error, not an invalid Date', async (t) => {
  for (const text of ['infinity', '-infinity', '0044-03-15 00:00:00+00 BC']) {
    await t.rejects(pool.any(sql.unsafe`select ${text}::timestamptz as time`), { message: /JavaScript can hold/ })
  }
})
