import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { getSessionProgress, recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { readUserData } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

/** A session of a user, and a film whose duration only players know. */
async function setup(t: Test, durationSeconds: number | null = null) {
  const { pool: db } = await testDatabase(t)
  const services = { db, clock: movableClock() }
  const userId = await makeUser(db, 'viewer')
  const [mediaItemId = ''] = await makeItems(db, t.testdir(), [{ durationSeconds }])
  const device = { deviceId: null, deviceName: null, deviceType: null }
  const { id: sessionId } = await startPlaybackSession(services, { profileId: userId, ...device })
  const report = async (positionTicks: number, durationTicks?: number) => {
    await recordProgress(services, {
      profileId: userId,
      sessionId,
      mediaItemId,
      positionTicks,
      durationTicks,
      isPaused: false,
    })
    const state = await getSessionProgress(services, { sessionId, profileId: userId })
    return [state?.positionTicks, state?.durationTicks]
  }
  const isWatched = async () => (await readUserData({ db }, { profileId: userId, itemId: mediaItemId })).isWatched
  const plays = () => db.oneFirst(sql.unsafe`select count(*) from playback_records where completed_at is not null`)
  return { report, isWatched, plays }
}

void t.test('a report without a duration is clamped to the one reported before', async (t) => {
  const { report } = await setup(t)
  t.strictSame(await report(10, 1000), [10, 1000])
  t.strictSame(await report(500), [500, 1000])
  t.strictSame(await report(2000), [1000, 1000])
  t.strictSame(await report(300, 0), [300, 1000], 'a duration of 0 is none')
  t.strictSame(await report(2000, 0), [1000, 1000])
})

void t.test('a report without a duration counts from 90 % of the duration that was reported before', async (t) => {
  const { report, isWatched, plays } = await setup(t)
  await report(10, 1000)
  await report(899)
  t.notOk(await isWatched())
  await report(960)
  t.ok(await isWatched())
  t.equal(await plays(), 1)
})

void t.test('a duration that is shorter than a position before it is taken, and one that is longer', async (t) => {
  const { report, isWatched, plays } = await setup(t)
  t.strictSame(await report(2000), [2000, null], 'the duration is unknown')
  t.strictSame(await report(500, 1000), [500, 1000])
  t.strictSame(await report(600, 400), [400, 400])
  t.equal(await plays(), 1, 'that is its end')
  t.strictSame(await report(600, 5000), [600, 5000])
  t.ok(await isWatched())
})

void t.test(
  'the duration of the catalogue has priority over one reported earlier, and yields to one in the report',
  async (t) => {
    const { report } = await setup(t, 0.0003)
    t.strictSame(await report(10, 1000), [10, 1000])
    t.strictSame(await report(2900), [2900, 3000])
    t.strictSame(await report(4000, 1000), [1000, 1000])
  },
)
