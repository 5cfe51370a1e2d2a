import { sql } from 'slonik'
import t from 'tap'
import { unpreparedPrefix } from '../../../../src/core/platform/database/index.ts'
import { createStatementNames } from '../../../../src/core/platform/database/statement-names.ts'
import { testDatabase } from '../../../support/database.ts'

void t.test('a statement is named from its third use on; names are stable and unique', async (t) => {
  const { nameOf } = createStatementNames()
  t.strictSame(
    [1, 2, 3, 4].map(() => nameOf('select 1')),
    [undefined, undefined, 'phlix_0', 'phlix_0'],
  )
  t.strictSame(
    [1, 2, 3].map(() => nameOf('select 2')),
    [undefined, undefined, 'phlix_1'],
  )
})

void t.test('batches have no name, and the number of names is limited', async (t) => {
  const { nameOf } = createStatementNames()
  for (let time = 0; time < 5; time += 1) t.equal(nameOf('select * from unnest($1::uuid[])'), undefined)
  for (let time = 0; time < 3; time += 1) for (let text = 0; text < 201; text += 1) nameOf(`select ${text}`)
  t.equal(nameOf('select 199'), 'phlix_199')
  t.equal(nameOf('select 200'), undefined)
})

void t.test('long texts have no name, and the total length is limited', async (t) => {
  const { nameOf } = createStatementNames()
  const long = (text: number, length: number) => `select ${text}`.padEnd(length, 'x')
  const named = (text: string) => [1, 2, 3].map(() => nameOf(text)).at(-1) !== undefined
  t.notOk(named(long(0, 16_001)))
  const count = Array.from({ length: 100 }, (_, text) => named(long(text, 16_000))).filter(Boolean).length
  t.equal(count, 25, 'plans take fifty times as much memory as texts')
  t.ok(nameOf(long(3, 16_000)), 'a statement with a name keeps it')
  t.notOk(named('select 1'.padEnd(1000, ' ')))
})

void t.test('statements marked as unprepared have no name and take no place', async (t) => {
  const { nameOf } = createStatementNames()
  for (let time = 0; time < 5; time += 1) {
    const names = Array.from({ length: 300 }, (_, text) => nameOf(`${unpreparedPrefix.sql} select ${text}`))
    t.ok(names.every((name) => name === undefined))
  }
  for (let time = 0; time < 3; time += 1) nameOf('select 1')
  t.equal(nameOf('select 1'), 'phlix_0')
  const { pool } = await testDatabase(t)
  for (let time = 0; time < 5; time += 1)
    await pool.oneFirst(sql.unsafe`${unpreparedPrefix} select ${time}::int as lonely`)
  const prepared = sql.unsafe`select count(*)::int from pg_prepared_statements where statement like '%as lonely%' and name <> ''`
  t.equal(await pool.oneFirst(prepared), 0)
})

void t.test('at most 2,000 texts without repetition are stored', async (t) => {
  const { nameOf } = createStatementNames()
  for (let time = 0; time < 2; time += 1) nameOf('twice')
  for (let text = 0; text < 2000; text += 1) nameOf(`once ${text}`)
  t.strictSame(
    [1, 2, 3].map(() => nameOf('twice')),
    [undefined, undefined, 'phlix_0'],
  )
})

void t.test('a repeated statement is prepared, also after it failed and after its connection was lost', async (t) => {
  const { pool } = await testDatabase(t)
  const divide = (by: number) => pool.oneFirst(sql.unsafe`select 6 / ${by}::int as share`)
  for (let time = 0; time < 4; time += 1) t.equal(await divide(2), 3)
  await t.rejects(divide(0))
  t.equal(await divide(3), 2)
  const prepared = sql.unsafe`select count(*)::int from pg_prepared_statements where statement like '%as share%' and name <> ''`
  t.ok(Number(await pool.oneFirst(prepared)) > 0)
  await pool.oneFirst(sql.unsafe`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined)
  t.equal(await divide(1), 6)
})
