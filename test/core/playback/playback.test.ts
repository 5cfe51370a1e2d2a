import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createCatalogueCache, setFilesMissingSince } from '../../../src/core/catalogue/index.ts'
import {
  completeItemInSession,
  listContinueWatching,
  endPlaybackSession,
  getSessionProgress,
  listPlaybackSessions,
  recordProgress,
  startPlaybackSession,
} from '../../../src/core/playback/index.ts'
import { markUnwatched, readUserData } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const SECOND = 10_000_000
const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const NO_DEVICE = { deviceId: null, deviceName: null, deviceType: null }

/** A user with films of 100 s, and the reports of players, in seconds. */
async function setup(t: Test, films = 3) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const services = { db, clock, catalogueCache: createCatalogueCache({ db }) }
  const userId = await makeUser(db, 'viewer')
  const items = await makeItems(
    db,
    t.testdir(),
    Array.from({ length: films }, () => ({})),
  )
  const [item = ''] = items
  const start = async () => (await startPlaybackSession(services, { profileId: userId, ...NO_DEVICE })).id
  const report = (sessionId: string, seconds: number, more: { item?: string; isPaused?: boolean; of?: number } = {}) =>
    recordProgress(services, {
      profileId: userId,
      sessionId,
      mediaItemId: more.item ?? item,
      positionTicks: seconds * SECOND,
      durationTicks: more.of === undefined ? undefined : more.of * SECOND,
      isPaused: more.isPaused ?? false,
    })
  const complete = (sessionId: string, hasReachedEnd = true, mediaItemId?: string) =>
    completeItemInSession(services, { profileId: userId, sessionId, hasReachedEnd, mediaItemId })
  const unfinished = async () =>
    (await listContinueWatching(services, { profileId: userId })).map((row) => [
      row.item.id,
      row.state.positionTicks / SECOND,
    ])
  const records = () =>
    db.any(sql.unsafe`
      select media_item_id, session_id, completed_at is not null as is_completed, reached_ticks / ${SECOND} as reached_seconds
      from playback_records order by counted_at, media_item_id`)
  return { db, clock, services, userId, item, items, start, report, complete, unfinished, records }
}

void t.test('an item is offered from its first second until 95 %, newest first, and each once', async (t) => {
  const { clock, items, start, report, unfinished } = await setup(t)
  const [a = '', b = '', c = ''] = items
  const [first, second] = [await start(), await start()]
  await report(first, 0, { item: a })
  t.strictSame(await unfinished(), [], 'position 0 is not started')
  await report(first, 10, { item: a })
  clock.advance(1)
  await report(first, 20, { item: b, isPaused: true })
  clock.advance(1)
  await report(second, 30, { item: a })
  t.strictSame(await unfinished(), [
    [a, 30],
    [b, 20],
  ])
  await report(second, 94.9, { item: c })
  t.strictSame((await unfinished())[0], [c, 94.9])
  await report(second, 95, { item: c })
  t.strictSame(await unfinished(), [
    [a, 30],
    [b, 20],
  ])
})

void t.test('the newest state of an item decides, whatever the older sessions have', async (t) => {
  const { start, report, complete, unfinished, item } = await setup(t)
  const [older, newer] = [await start(), await start()]
  await report(older, 50)
  await report(newer, 60)
  await complete(newer)
  t.strictSame(await unfinished(), [], 'finished on another device')
  await report(older, 10)
  t.strictSame(await unfinished(), [[item, 10]], 'started again on the first')
  await complete(older, false)
  t.strictSame(await unfinished(), [], 'dismissing an item reveals the finished state, not an older position')
})

void t.test('ending a session keeps its positions, paused', async (t) => {
  const { services, userId, item, start, report, unfinished } = await setup(t)
  const sessionId = await start()
  await report(sessionId, 40)
  t.match(await listPlaybackSessions(services, { profileId: userId }), [
    { id: sessionId, state: { status: 'playing' } },
  ])
  await endPlaybackSession(services, { sessionId, profileId: userId })
  t.strictSame(await unfinished(), [[item, 40]])
  t.match(await listContinueWatching(services, { profileId: userId }), [{ state: { status: 'paused' } }])
  t.strictSame(await listPlaybackSessions(services, { profileId: userId }), [])
  await t.rejects(endPlaybackSession(services, { sessionId, profileId: userId }), { code: 'session_not_found' })
  await t.rejects(report(sessionId, 50), { code: 'session_not_found' })
  await t.rejects(getSessionProgress(services, { sessionId, profileId: userId }), { code: 'session_not_found' })
})

void t.test('a play counts once per session and item: at 90 %, or when it is completed', async (t) => {
  const { clock, start, report, complete, records, item, items } = await setup(t)
  const [, second = '', third = ''] = items
  const sessionId = await start()
  await report(sessionId, 89.9)
  t.strictSame(await records(), [])
  await report(sessionId, 90)
  t.match(await records(), [{ mediaItemId: item, sessionId, isCompleted: true, reachedSeconds: 90 }])
  await report(sessionId, 97)
  await complete(sessionId)
  await complete(sessionId)
  await report(sessionId, 5)
  await report(sessionId, 92)
  t.match(await records(), [{ isCompleted: true, reachedSeconds: 100 }], 'still one, and it came to the end')
  clock.advance(1)
  await report(sessionId, 30, { item: second })
  await complete(sessionId, false)
  clock.advance(1)
  await complete(sessionId, true, third)
  t.match((await records()).slice(1), [
    { mediaItemId: second, isCompleted: false, reachedSeconds: 30 },
    { mediaItemId: third, isCompleted: true, reachedSeconds: 100 },
  ])
  t.equal((await records()).length, 3)
  const another = await start()
  await report(another, 95)
  t.equal((await records()).length, 4, 'another session is another play')
})

void t.test('an item played to its end or to 90 % is marked as watched, once per play', async (t) => {
  const { db, clock, userId, start, report, complete, items } = await setup(t)
  const [a = '', b = '', c = ''] = items
  const isWatched = async (itemId: string) => (await readUserData({ db }, { profileId: userId, itemId })).isWatched
  const sessionId = await start()
  await report(sessionId, 89, { item: a })
  await report(sessionId, 50, { item: b })
  await complete(sessionId, false, b)
  await complete(sessionId, true, c)
  t.strictSame(await Promise.all(items.map(isWatched)), [false, false, true])
  await report(sessionId, 90, { item: a })
  t.ok(await isWatched(a))
  await markUnwatched({ db }, { profileId: userId, itemId: a })
  clock.advance(10)
  await report(sessionId, 96, { item: a })
  t.notOk(await isWatched(a), 'a mark taken away stays away')
  await complete(sessionId, true, a)
  t.ok(await isWatched(a), 'until the player reports the end')
})

void t.test('completing without an item completes the item that the session played last', async (t) => {
  const { services, userId, start, report, complete, items } = await setup(t)
  const [a = '', b = ''] = items
  const sessionId = await start()
  const refused = { code: 'invalid_request', details: { field: 'media_item_id' } }
  await t.rejects(complete(sessionId), refused, 'nothing was played')
  await report(sessionId, 10, { item: a })
  await report(sessionId, 20, { item: b })
  await complete(sessionId)
  t.match(await getSessionProgress(services, { sessionId, profileId: userId }), {
    mediaItemId: b,
    status: 'stopped',
    positionTicks: 0,
  })
  await complete(sessionId, false)
  t.equal(await getSessionProgress(services, { sessionId, profileId: userId }), undefined)
  await t.rejects(complete(sessionId), refused, 'never the item before it')
})

void t.test(
  'a delayed report after the completion changes nothing, and one of an earlier position starts a new play',
  async (t) => {
    const { services, userId, start, report, complete, unfinished, item } = await setup(t)
    const sessionId = await start()
    await report(sessionId, 50)
    await complete(sessionId)
    await report(sessionId, 94)
    t.match(await getSessionProgress(services, { sessionId, profileId: userId }), {
      status: 'stopped',
      positionTicks: 0,
    })
    t.strictSame(await unfinished(), [])
    await report(sessionId, 12)
    t.strictSame(await unfinished(), [[item, 12]])
  },
)

void t.test('positions are clamped to the duration of the player, else to that of the catalogue', async (t) => {
  const { db, services, userId, start, report, item } = await setup(t)
  const sessionId = await start()
  const state = () => getSessionProgress(services, { sessionId, profileId: userId })
  await report(sessionId, 500)
  t.match(await state(), { positionTicks: 100 * SECOND, durationTicks: 100 * SECOND })
  await report(sessionId, 500, { of: 80 })
  t.match(await state(), { positionTicks: 80 * SECOND, durationTicks: 80 * SECOND })
  await report(sessionId, 500, { of: 0 })
  t.match(await state(), { positionTicks: 100 * SECOND }, 'a duration of 0 is none')
  await db.query(sql.unsafe`update media_items set duration_seconds = null where id = ${item}`)
  const another = await start()
  await report(another, 500)
  const unknown = await getSessionProgress(services, { sessionId: another, profileId: userId })
  t.match(unknown, { positionTicks: 500 * SECOND, durationTicks: null })
  t.equal(
    (await listContinueWatching(services, { profileId: userId })).length,
    1,
    'offered while the duration is unknown',
  )
})

void t.test('a clock that is set back does not make old reports the newest', async (t) => {
  const { clock, services, userId, start, report, items, unfinished } = await setup(t)
  const [a = '', b = ''] = items
  const sessionId = await start()
  await report(sessionId, 10, { item: a })
  clock.advance(-3600)
  await report(sessionId, 20, { item: b })
  const other = await start()
  await report(other, 30, { item: a })
  t.strictSame(await unfinished(), [
    [a, 30],
    [b, 20],
  ])
  t.match(await getSessionProgress(services, { sessionId, profileId: userId }), { mediaItemId: b })
})

void t.test('an item without a present file is not offered', async (t) => {
  const { db, start, report, item, unfinished } = await setup(t)
  await report(await start(), 10)
  await setFilesMissingSince(db, { ids: [item], missingSince: new Date() })
  t.strictSame(await unfinished(), [])
  await setFilesMissingSince(db, { ids: [item], missingSince: null })
  t.strictSame(await unfinished(), [[item, 10]])
  await db.query(sql.unsafe`delete from media_items where id = ${item}`)
  t.strictSame(await unfinished(), [])
})

void t.test(
  'unknown and malformed ids and the sessions of others are refused before anything is written',
  async (t) => {
    const { db, services, userId, item, start, report, records } = await setup(t)
    const sessionId = await start()
    const stranger = await makeUser(db, 'stranger')
    const write = { mediaItemId: item, positionTicks: 95 * SECOND, isPaused: false }
    for (const id of [UNKNOWN, 'x', '']) {
      await t.rejects(report(id, 10), { code: 'session_not_found' }, id)
      await t.rejects(report(sessionId, 10, { item: id }), { code: 'media_item_not_found' }, id)
      const wrong = { sessionId, profileId: userId, mediaItemId: id, hasReachedEnd: true }
      await t.rejects(completeItemInSession(services, wrong), { code: 'media_item_not_found' }, id)
      await t.rejects(
        endPlaybackSession(services, { sessionId: id, profileId: userId }),
        { code: 'session_not_found' },
        id,
      )
    }
    const address = { sessionId, profileId: stranger }
    const foreign = { code: 'not_session_owner', title: 'Forbidden' }
    await t.rejects(recordProgress(services, { ...address, ...write }), foreign)
    await t.rejects(recordProgress(services, { ...address, ...write, mediaItemId: UNKNOWN }), foreign)
    await t.rejects(completeItemInSession(services, { ...address, hasReachedEnd: true }), foreign)
    await t.rejects(endPlaybackSession(services, address), foreign)
    await t.rejects(getSessionProgress(services, address), foreign)
    t.strictSame(await records(), [])
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from playback_states`), 0)
    t.match(await listPlaybackSessions(services, { profileId: userId }), [{ id: sessionId, state: null }])
  },
)

void t.test(
  'reports, completions and the end of one session at the same time leave one state and one play',
  async (t) => {
    const { db, services, userId, item, items, start, report, complete, records } = await setup(t)
    const sessionId = await start()
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => report(sessionId, 80 + index, { isPaused: index % 2 === 0 })),
      ...Array.from({ length: 10 }, () => complete(sessionId, true, item)),
      ...items.slice(1).map((other) => report(sessionId, 95, { item: other })),
    ])
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from playback_states`), items.length)
    t.equal((await records()).length, items.length)
    const last = await start()
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, index) => report(last, 1 + index)),
      endPlaybackSession(services, { sessionId: last, profileId: userId }),
      endPlaybackSession(services, { sessionId: last, profileId: userId }),
    ])
    const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
    t.ok(reasons.length >= 1)
    t.strictSame([...new Set(reasons)], ['AppError: Session not found'])
  },
)

void t.test('items may be removed while they are played: no request hangs, and no row is left', async (t) => {
  const { db, userId, items, start, report, complete, services } = await setup(t, 12)
  const sessions = await Promise.all([start(), start()])
  const work = items.flatMap((item) => [
    report(sessions[0], 95, { item }),
    report(sessions[1], 40, { item }),
    complete(sessions[1], true, item),
    db.query(sql.unsafe`delete from media_items where id = ${item}`),
    startPlaybackSession(services, { profileId: userId, ...NO_DEVICE }),
  ])
  const failures = (await Promise.allSettled(work)).filter((outcome) => outcome.status === 'rejected')
  t.strictSame(
    [...new Set(failures.map(({ reason }) => String(reason)))].filter((text) => !/item not found/.test(text)),
    [],
  )
  for (const table of ['playback_states', 'playback_records']) {
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`), 0, table)
  }
})

void t.test('a new session removes old and superseded states, and never a newest position', async (t) => {
  const { db, clock, services, userId, items, start, report, unfinished, records } = await setup(t)
  const [a = '', b = ''] = items
  const [stale, only, empty] = [await start(), await start(), await start()]
  await report(stale, 95, { item: a })
  await report(only, 20, { item: b })
  clock.advance(89 * 24 * 3600)
  const newer = await start()
  await report(newer, 30, { item: a })
  const ids = async () => (await listPlaybackSessions(services, { profileId: userId })).map(({ id }) => id)
  t.ok((await ids()).includes(empty), 'not before 90 days')
  clock.advance(2 * 24 * 3600)
  const fresh = await start()
  t.strictSame(await ids(), [fresh, newer, only])
  t.strictSame(await unfinished(), [
    [a, 30],
    [b, 20],
  ])
  t.match(await records(), [{ sessionId: stale }], 'a play that counted stays')
  for (let count = 0; count < 210; count += 1) await start()
  t.equal(
    await db.oneFirst(sql.unsafe`select count(*) from playback_sessions`),
    203,
    'the newest 200, one more, two with places',
  )
  t.equal((await ids()).length, 100, 'the list is bounded too')
  t.equal((await unfinished()).length, 2)
})

void t.test('the deletion of a user deletes all playback data', async (t) => {
  const { db, userId, start, report } = await setup(t)
  await report(await start(), 95)
  await db.query(sql.unsafe`delete from users where id = ${userId}`)
  for (const table of ['playback_sessions', 'playback_states', 'playback_records']) {
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`), 0, table)
  }
})
