import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { clearHits, countHit, readHits } from '../../../../src/core/platform/rate-limits/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { movableClock } from '../../../support/records.ts'

const ADA = { surface: 'register', key: '192.0.2.1', windowSeconds: 600 }

async function setUp(t: Test) {
  const { pool: db } = await testDatabase(t)
  return { db, clock: movableClock() }
}

void t.test('hits are counted from the first one on, until its window ends', async (t) => {
  const needs = await setUp(t)
  t.same(await readHits(needs, ADA), { hits: 0, millisecondsLeft: 0 })
  t.same(await countHit(needs, ADA), { hits: 1, millisecondsLeft: 600_000 })
  needs.clock.advance(599)
  t.same(await countHit(needs, ADA), { hits: 2, millisecondsLeft: 1000 })
  t.same(await readHits(needs, ADA), { hits: 2, millisecondsLeft: 1000 })
  needs.clock.advance(1)
  t.same(await readHits(needs, ADA), { hits: 0, millisecondsLeft: 0 })
  t.same(await countHit(needs, ADA), { hits: 1, millisecondsLeft: 600_000 })
})

void t.test('surfaces and keys are counted and cleared separately', async (t) => {
  const needs = await setUp(t)
  const others = [
    { ...ADA, surface: 'refresh' },
    { ...ADA, key: '192.0.2.2' },
  ]
  for (const counted of [ADA, ...others]) t.equal((await countHit(needs, counted)).hits, 1)
  await clearHits(needs, ADA)
  t.equal((await readHits(needs, ADA)).hits, 0)
  for (const counted of others) t.equal((await readHits(needs, counted)).hits, 1)
})

void t.test('concurrent hits have distinct numbers (RL-06)', async (t) => {
  const needs = await setUp(t)
  const counts = await Promise.all(Array.from({ length: 40 }, () => countHit(needs, ADA)))
  const numbers = counts.map(({ hits }) => hits).toSorted((a, b) => a - b)
  t.strictSame(
    numbers,
    Array.from({ length: 40 }, (_, index) => index + 1),
  )
})

void t.test('a clock that is set back blocks for at most one window (RL-09)', async (t) => {
  const needs = await setUp(t)
  await countHit(needs, ADA)
  needs.clock.advance(-3600)
  t.same(await readHits(needs, ADA), { hits: 1, millisecondsLeft: 600_000 }, 'also when it is only read')
  needs.clock.advance(-3600)
  t.same(await countHit(needs, ADA), { hits: 2, millisecondsLeft: 600_000 })
  needs.clock.advance(300)
  t.same(await readHits(needs, ADA), { hits: 2, millisecondsLeft: 300_000 }, 'the end stays where it was put')
  needs.clock.advance(300)
  t.equal((await countHit(needs, ADA)).hits, 1)
})

void t.test('windows that have ended are removed, so that the table does not grow (RL-04)', async (t) => {
  const needs = await setUp(t)
  const rows = (): Promise<unknown> => needs.db.oneFirst(sql.unsafe`select count(*) from rate_limits`)
  for (let index = 0; index < 30; index++) await countHit(needs, { ...ADA, key: `192.0.2.${index}` })
  t.equal(await rows(), 30)
  needs.clock.advance(600)
  for (let index = 0; index < 3; index++) await countHit(needs, { ...ADA, key: `198.51.100.${index}` })
  t.equal(await rows(), 3)
})
