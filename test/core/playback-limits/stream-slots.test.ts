import { Client } from 'pg'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import {
  createStreamSlots,
  findPlaybackLimits,
  setStreamLimits,
  type StreamLimits,
} from '../../../src/core/playback-limits/index.ts'
import { IdRow } from '../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../support/database.ts'
import { makeLibrary, movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

/** The places of streams of an account with limits, and items. */
async function setup(t: Test, changes: Partial<StreamLimits>) {
  const clock = movableClock()
  const database = await testDatabase(t)
  const services = await testServices(t, { clock, database })
  const { db } = services
  const input = { username: 'kim', email: 'kim@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount(services, input)
  const library = await makeLibrary(db, t.testdir(), 'Films')
  const [itemId = '', other = ''] = await db.anyFirst(sql.type(IdRow)`
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    select ${library.id}, 'movie', n::text, n::text, now(), now(), now() from generate_series(1, 2) n returning id`)
  await setStreamLimits(services, { owner: { accountId }, accountId, changes })
  const readLimits = async () => {
    const limits = (await findPlaybackLimits(db, { profileIds: [accountId], zone: 'UTC' })).get(accountId)
    if (limits === undefined) throw new Error('no limits')
    return limits
  }
  const limits = await readLimits()
  const narrow = async (narrower: Partial<StreamLimits>) => {
    await setStreamLimits(services, { owner: { accountId }, accountId, changes: narrower })
    return readLimits()
  }
  return {
    accountId,
    clock,
    connectionUri: database.connectionUri,
    db,
    itemId,
    limits,
    narrow,
    other,
    slots: createStreamSlots({ db, clock }),
  }
}

void t.test('a clock that is set back frees the places of before', async (t) => {
  const { clock, db, itemId, limits, slots } = await setup(t, { maxStreams: 1 })
  await slots.hold({ limits, device: 's1', itemId, seenBy: db })
  clock.advance(-10)
  await t.rejects(
    slots.hold({ limits, device: 's2', itemId, seenBy: db }),
    { code: 'StreamLimitExceeded' },
    'clocks are not exact',
  )
  clock.advance(-3600)
  await slots.hold({ limits, device: 's2', itemId, seenBy: db })
})

void t.test('a stream counts with the highest rate of its replies that are being sent', async (t) => {
  const { clock, db, itemId, other, limits, slots } = await setup(t, { maxKbps: 1000 })
  const needs = (kbps: number) => ({ kbps, isLowest: false })
  const [file, segment] = [new AbortController(), new AbortController()]
  const own = { limits, device: 's1', itemId, seenBy: db }
  const second = () => slots.hold({ limits, device: 's2', itemId: other, seenBy: db, needs: needs(500) })
  await slots.hold({ ...own, needs: needs(900), until: file.signal })
  await slots.hold({ ...own, needs: needs(200), until: segment.signal })
  await t.rejects(second(), { code: 'StreamLimitExceeded' }, 'the file is still sent beside a lower quality')
  await slots.release('s1')
  await slots.hold(own)
  await slots.hold({ ...own, needs: needs(900), until: file.signal, isBeingSent: true })
  await t.rejects(second(), { code: 'StreamLimitExceeded' }, 'the file is still sent after the end was reported')
  await slots.release('s1')
  await second()
  await slots.hold(own)
  await t.rejects(
    slots.hold({ ...own, needs: needs(900), until: file.signal, isBeingSent: true }),
    { code: 'StreamLimitExceeded' },
    'another stream has its bandwidth now',
  )
  file.abort()
  clock.advance(31)
  await slots.hold({ ...own, needs: needs(200), until: segment.signal, isBeingSent: true })
  await second()
})

void t.test('after a narrower bandwidth the streams that came last end, and those before them go on', async (t) => {
  const { db, itemId, other, limits, narrow, slots } = await setup(t, { maxKbps: 2000 })
  const needs = { kbps: 900, isLowest: false }
  const [first, second] = [
    { limits, device: 's1', itemId, seenBy: db, needs },
    { limits, device: 's2', itemId: other, seenBy: db, needs },
  ]
  for (const one of [first, second]) await slots.hold(one)
  const narrower = await narrow({ maxKbps: 1000 })
  for (const isBeingSent of [true, false]) {
    t.equal(await slots.hold({ ...first, limits: narrower, isBeingSent }), 100)
    await t.rejects(slots.hold({ ...second, limits: narrower, isBeingSent }), { code: 'StreamLimitExceeded' })
  }
  const lowest = { ...second, needs: { kbps: 400, isLowest: true }, limits: narrower }
  await slots.hold(lowest)
  await slots.hold({ ...first, limits: narrower, isBeingSent: true })
  const narrowest = await narrow({ maxKbps: 500 })
  await t.rejects(slots.hold({ ...first, limits: narrowest }), {
    code: 'StreamLimitExceeded',
    details: { max_kbps: 500 },
  })
})

void t.test('the order of streams begins with the first limit', async (t) => {
  const { db, itemId, other, limits, narrow, slots } = await setup(t, {})
  const [first, second] = [
    { limits, device: 's1', itemId, seenBy: db },
    { limits, device: 's2', itemId: other, seenBy: db },
  ]
  for (const one of [first, second]) t.equal(await slots.hold(one), null)
  t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from open_streams`), 0, 'without one nothing is stored')
  const narrower = await narrow({ maxStreams: 1 })
  await slots.hold({ ...second, limits: narrower, isBeingSent: true })
  await t.rejects(slots.hold({ ...first, limits: narrower, isBeingSent: true }), { code: 'StreamLimitExceeded' })
})

void t.test('after a lower number of streams those that came last end', async (t) => {
  const { db, itemId, other, limits, narrow, slots } = await setup(t, { maxStreams: 2 })
  const [first, second] = [
    { limits, device: 's1', itemId, seenBy: db },
    { limits, device: 's2', itemId: other, seenBy: db },
  ]
  for (const one of [first, second]) await slots.hold(one)
  const lower = await narrow({ maxStreams: 1 })
  await slots.hold({ ...first, limits: lower, isBeingSent: true })
  await t.rejects(slots.hold({ ...second, limits: lower, isBeingSent: true }), { code: 'StreamLimitExceeded' })
  await slots.release('s1')
  await slots.hold({ ...second, limits: lower })
})

void t.test('streams of an account wait for each other without the connections of other requests', async (t) => {
  const { accountId, connectionUri, db, itemId, limits, slots } = await setup(t, { maxKbps: 1000 })
  const elsewhere = new Client({ connectionString: connectionUri })
  await elsewhere.connect()
  await elsewhere.query('select pg_advisory_lock(hashtextextended($1, 0))', [`phlix:streams:${accountId}`])
  const waiting = Array.from({ length: 40 }, (_, kbps) =>
    slots.hold({ limits, device: 's1', itemId, seenBy: db, needs: { kbps, isLowest: false } }),
  )
  const held = Promise.allSettled(waiting)
  try {
    for (let query = 1; query <= 60; query += 1) await db.query(sql.unsafe`select 1`)
  } finally {
    await elsewhere.end()
  }
  t.notOk((await held).some(({ status }) => status === 'rejected'))
})
