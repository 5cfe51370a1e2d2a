import { sql } from 'slonik'
import t from 'tap'
import { listPlayDays, listTopItems, listTopUsers, rebuildPlayDays } from '../../../src/core/statistics/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { changeAtOnce, recordPlay, TICKS_PER_SECOND, type Play } from './play-changes.ts'

const { pool: db } = await testDatabase(t)
const clock = movableClock('2026-03-31T12:00:00.000Z')
const services = { db, clock }

t.beforeEach(async () => {
  await db.query(sql.unsafe`truncate play_days, playback_records`)
})

const play = (one: Play): Promise<string> => recordPlay(db, one)

/** The days with a play. */
async function days(from = '2026-03-01', to = '2026-03-31'): Promise<unknown[]> {
  const rows = await listPlayDays(services, { from, to })
  return rows
    .filter(({ playCount }) => playCount > 0)
    .map(({ day, ...counts }) => [day, counts.playCount, counts.completedCount, counts.watchedSeconds])
}

const folder = t.testdir()
const [one = '', two = '', three = ''] = await makeItems(db, folder, [{ name: 'One' }, { name: 'Two' }, {}])
const [ann, bob] = [await makeUser(db, 'ann'), await makeUser(db, 'bob')]

void t.test('a play belongs to its day in UTC, whatever zone the session of the database has', async (t) => {
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu', 'UTC']) {
    await db.query(sql.unsafe`truncate play_days, playback_records`)
    const found = await db.transaction(async (connection) => {
      await connection.query(sql.unsafe`select set_config('timezone', ${zone}, true)`)
      for (const at of ['2026-03-29T00:00:00Z', '2026-03-29T23:59:59.999Z', '2026-03-30T00:00:00Z']) {
        await connection.query(sql.unsafe`
          insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, reached_ticks)
          values (gen_random_uuid(), ${ann}, ${one}, ${at}::timestamptz, ${at}::timestamptz, 0)`)
      }
      const mended = await rebuildPlayDays({ db: connection })
      const rows = await listPlayDays({ db: connection, clock }, { from: '2026-03-28', to: '2026-03-31' })
      return { mended, rows: rows.map(({ day, playCount }) => `${day} ${playCount}`) }
    })
    const rows = ['2026-03-28 0', '2026-03-29 2', '2026-03-30 1', '2026-03-31 0']
    t.strictSame(found, { mended: 0, rows }, zone)
  }
})

void t.test('a later report of a play adds to its day, and counts nothing twice', async (t) => {
  const session = await play({ user: ann, item: one, at: '2026-03-02T10:00Z', seconds: 40, isCompleted: false })
  t.strictSame(await days(), [['2026-03-02', 1, 0, 40]])
  for (const [seconds, isCompleted] of [
    [90, true],
    [95, true],
    [95, true],
  ] as const) {
    await db.query(sql.unsafe`
      update playback_records set reached_ticks = ${seconds * TICKS_PER_SECOND}, completed_at = case when ${isCompleted} then counted_at end
      where session_id = ${session}`)
  }
  t.strictSame(await days(), [['2026-03-02', 1, 1, 95]])
  await play({ user: ann, item: one, at: '2026-03-02T11:00Z' })
  await play({ user: bob, item: one, at: '2026-03-02T11:00Z' })
  t.strictSame(await days(), [['2026-03-02', 3, 3, 295]])
  await db.query(sql.unsafe`update playback_records set media_item_id = ${two} where session_id = ${session}`)
  t.strictSame(await days(), [['2026-03-02', 3, 3, 295]], 'a file that was moved')
  t.equal(await rebuildPlayDays({ db }), 0)
})

void t.test('the days are without gaps, at most ten years of them', async (t) => {
  t.equal((await listPlayDays(services, {})).length, 31)
  t.match((await listPlayDays(services, {})).at(-1), { day: '2026-03-31', playCount: 0, watchedSeconds: 0 })
  const all = await listPlayDays(services, { from: '0001-01-01' })
  t.equal(all.length, 3660)
  t.equal((await listPlayDays(services, { from: '2024-02-28', to: '2024-03-01' })).length, 3)
  await t.rejects(listPlayDays(services, { from: 'today', to: 'yesterday' }), { code: 'invalid_request' })
})

void t.test('top users and items are ordered, and restricted to a period only on request', async (t) => {
  await play({ user: bob, item: one, at: '2026-03-01T10:00Z', seconds: 10 })
  await play({ user: bob, item: one, at: '2026-03-30T10:00Z', seconds: 10 })
  await play({ user: ann, item: two, at: '2026-03-30T10:00Z', seconds: 1000, isCompleted: false })
  const users = async (input: object) =>
    (await listTopUsers(services, input)).map((row) => [row.username, row.watchedSeconds, row.playCount])
  const items = async (input: object) =>
    (await listTopItems(services, input)).map((row) => [row.item.name, row.playCount, row.watchedSeconds])
  t.strictSame(await users({}), [
    ['ann', 1000, 1],
    ['bob', 20, 2],
  ])
  t.strictSame(await items({}), [
    ['One', 2, 20],
    ['Two', 1, 1000],
  ])
  t.strictSame(await items({ since: '-1 day' }), [
    ['Two', 1, 1000],
    ['One', 1, 10],
  ])
  t.strictSame(await users({ since: 'today' }), [])
  t.strictSame(await users({ limit: 1 }), [['ann', 1000, 1]])
  t.equal((await users({ limit: 0 })).length, 1, 'clamped')
  t.equal((await users({ limit: 1e300 })).length, 2)
  await t.rejects(users({ since: 'soon' }), { code: 'invalid_request' })
})

void t.test('data of a deleted account, item, library or history is not counted any more', async (t) => {
  const [gone = '', moved = ''] = await makeItems(db, folder, [{ name: 'Gone' }, { name: 'Library gone' }])
  const carl = await makeUser(db, 'carl')
  const at = '2026-03-05T10:00Z'
  for (const item of [one, gone, moved]) await play({ user: ann, item, at })
  await play({ user: carl, item: one, at })
  t.strictSame(await days(), [['2026-03-05', 4, 4, 400]])
  await db.query(sql.unsafe`delete from users where id = ${carl}`)
  t.strictSame(await days(), [['2026-03-05', 3, 3, 300]])
  await db.query(sql.unsafe`delete from media_items where id = ${gone}`)
  t.strictSame(await days(), [['2026-03-05', 2, 2, 200]])
  await db.query(sql.unsafe`
    delete from libraries where id = (select library_id from media_items where id = ${moved})`)
  t.strictSame(await days(), [['2026-03-05', 1, 1, 100]])
  await db.query(sql.unsafe`delete from playback_records`)
  t.strictSame(await days(), [])
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from play_days`), 0, 'no empty rows')
})

/** `npm run soak -- play-changes` makes other changes, and more of them. */
void t.test('after any concurrent changes the rows equal a rebuild, which repairs wrong rows', async (t) => {
  const [users, items] = [
    [ann, bob],
    [one, two, three],
  ]
  await changeAtOnce(db, { users, items, random: seededRandom(1), rounds: 5 })
  t.ok((await days()).length > 0)
  t.equal(await rebuildPlayDays({ db }), 0)
  await db.query(sql.unsafe`update play_days set watched_seconds = watched_seconds + 1 where profile_id = ${ann}`)
  await db.query(sql.unsafe`delete from play_days where profile_id = ${bob}`)
  await db.query(sql.unsafe`insert into play_days values ('2020-01-01', ${ann}, ${one}, 1, 1, 1)`)
  const wrong = await days()
  t.ok((await rebuildPlayDays({ db })) > 1)
  t.not(JSON.stringify(await days()), JSON.stringify(wrong))
  t.equal(await rebuildPlayDays({ db }), 0, 'once')
})
