import { sql } from 'slonik'
import t from 'tap'
import { insertTarget } from '../../../src/core/outbox/index.ts'
import {
  completeItemInSession,
  endPlaybackSession,
  recordProgress,
  startPlaybackSession,
} from '../../../src/core/playback/index.ts'
import { endStalePlays } from '../../../src/core/playback/plays.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const SECOND = 10_000_000

const { pool: db } = await testDatabase(t)
const clock = movableClock()
const services = { db, clock }
const userId = await makeUser(db, 'ada')
const [film = '', other = ''] = await makeItems(db, t.testdir(), [
  { name: 'Alien', year: 1979 },
  { name: 'Heat', year: null },
])
const events = ['playback.started', 'playback.ended']
await insertTarget(db, { kind: 'webhook', name: 'listener', events, now: clock.now() })

const start = async (): Promise<string> =>
  (
    await startPlaybackSession(services, {
      profileId: userId,
      deviceId: 'tv-1',
      deviceName: 'Living room',
      deviceType: 'tv',
    })
  ).id
const report = (sessionId: string, seconds: number, more: { item?: string; isPaused?: boolean } = {}): Promise<void> =>
  recordProgress(services, {
    profileId: userId,
    sessionId,
    mediaItemId: more.item ?? film,
    positionTicks: seconds * SECOND,
    isPaused: more.isPaused ?? false,
  })

/** The events since the last call: `started Alien (1979)`, `ended Alien (1979) 12 completed`. */
async function newEvents(): Promise<string[]> {
  const facts = (await db.anyFirst(sql.unsafe`select facts from deliveries order by position`)) as Record<
    string,
    unknown
  >[]
  await db.query(sql.unsafe`delete from deliveries`)
  return facts.map(({ event, title, durationSeconds, isCompleted }) =>
    event === 'playback.started'
      ? `started ${String(title)}`
      : `ended ${String(title)} ${String(durationSeconds)} ${isCompleted === true ? 'completed' : 'stopped'}`,
  )
}

t.beforeEach(async () => {
  await db.query(sql.unsafe`delete from open_plays`)
  await newEvents()
})

void t.test('a play starts with its first report that is not paused, once, with all its data', async (t) => {
  const session = await start()
  t.strictSame(await newEvents(), [], 'a session without a report plays nothing')
  await report(session, 0, { isPaused: true })
  t.strictSame(await newEvents(), [])
  await report(session, 0)
  const [facts] = await db.anyFirst(sql.unsafe`select facts from deliveries`)
  t.strictSame(facts, {
    event: 'playback.started',
    userId,
    userName: 'ada',
    mediaItemId: film,
    mediaType: 'movie',
    title: 'Alien (1979)',
    deviceId: 'tv-1',
    deviceName: 'Living room',
  })
  await report(session, 5)
  await report(session, 6, { isPaused: true })
  await report(session, 7)
  t.equal((await newEvents()).length, 1)
})

void t.test(
  'a play ends once, when its item is completed or dismissed or its session ends, with the watched time',
  async (t) => {
    const [one, two, three] = [await start(), await start(), await start()]
    for (const session of [one, two, three]) await report(session, 0)
    clock.advance(10)
    for (const session of [one, two, three]) await report(session, 10, { isPaused: true })
    clock.advance(1000)
    for (const session of [one, two, three]) await report(session, 10)
    clock.advance(2.5)
    await newEvents()
    await completeItemInSession(services, { profileId: userId, sessionId: one, hasReachedEnd: true })
    await completeItemInSession(services, { profileId: userId, sessionId: one, hasReachedEnd: true })
    t.strictSame(await newEvents(), ['ended Alien (1979) 12 completed'], 'pauses are no play')
    await completeItemInSession(services, { profileId: userId, sessionId: two, hasReachedEnd: false })
    await completeItemInSession(services, {
      profileId: userId,
      sessionId: two,
      hasReachedEnd: false,
      mediaItemId: film,
    })
    t.strictSame(await newEvents(), ['ended Alien (1979) 12 stopped'])
    await endPlaybackSession(services, { profileId: userId, sessionId: three })
    t.strictSame(await newEvents(), ['ended Alien (1979) 12 stopped'])
    await report(one, 95)
    t.strictSame(await newEvents(), [], 'a report that arrives after the end starts no play')
    await report(one, 5)
    t.strictSame(await newEvents(), ['started Alien (1979)'], 'played again')
  },
)

void t.test('a play that reached 90 % is completed, however it ends', async (t) => {
  const session = await start()
  await report(session, 0)
  clock.advance(90)
  await report(session, 91)
  t.strictSame(await newEvents(), ['started Alien (1979)'], 'the play continues')
  await endPlaybackSession(services, { profileId: userId, sessionId: session })
  t.strictSame(await newEvents(), ['ended Alien (1979) 90 completed'])
})

void t.test('a play that starts in a session ends the previous one', async (t) => {
  const session = await start()
  await report(session, 0)
  clock.advance(5)
  await report(session, 0, { item: other })
  t.strictSame(await newEvents(), ['started Alien (1979)', 'ended Alien (1979) 5 stopped', 'started Heat'])
  await completeItemInSession(services, {
    profileId: userId,
    sessionId: session,
    mediaItemId: film,
    hasReachedEnd: true,
  })
  t.strictSame(await newEvents(), [], 'it has ended already')
})

void t.test('a player without reports is detected after five minutes, and little of a gap counts', async (t) => {
  const [gone, alive] = [await start(), await start()]
  await report(gone, 0)
  await report(alive, 0)
  clock.advance(20)
  await report(gone, 20)
  clock.advance(270)
  await report(alive, 50)
  await newEvents()
  t.equal(await endStalePlays(services), 0)
  clock.advance(40)
  t.equal(await endStalePlays(services), 1)
  t.strictSame(await newEvents(), ['ended Alien (1979) 20 stopped'])
  await endPlaybackSession(services, { profileId: userId, sessionId: alive })
  t.strictSame(await newEvents(), ['ended Alien (1979) 160 stopped'], '120 s of the 290, and 40')
  await report(gone, 30)
  t.strictSame(await newEvents(), ['started Alien (1979)'], 'it was only slow')
})

void t.test('the end is announced although the item is deleted, and a refused report announces nothing', async (t) => {
  const session = await start()
  await report(session, 0, { item: other })
  await db.query(sql.unsafe`delete from media_items where id = ${other}`)
  await t.rejects(report(session, 5, { item: other }), { code: 'media_item_not_found' })
  await newEvents()
  await endPlaybackSession(services, { profileId: userId, sessionId: session })
  t.strictSame(await newEvents(), ['ended Heat 0 stopped'])
})
