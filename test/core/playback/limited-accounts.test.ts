import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { limitedServices } from '../../support/limited-services.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const DAY_SECONDS = 86_400

async function start(t: Test) {
  const clock = movableClock()
  const services = await testServices(t, { clock })
  const { db } = services
  const ownerId = await makeUser(db, 'kim')
  const [open = '', hidden = ''] = await makeItems(db, t.testdir(), [{ name: 'Open' }, { name: 'Hidden' }])
  const rate = (id: string, rating: string) =>
    db.query(sql.unsafe`update media_items set metadata = ${sql.jsonb({ rating })} where id = ${id}`)
  await rate(open, 'G')
  await rate(hidden, 'G')
  const child = { ...(await limitedServices(services, { maxAge: 12 })), clock }
  const owner = { userId: ownerId, profileId: ownerId }
  const session = async () =>
    (await startPlaybackSession(child, { ...owner, deviceId: null, deviceName: null, deviceType: null })).id
  const report = (sessionId: string, mediaItemId: string) =>
    recordProgress(child, { ...owner, sessionId, mediaItemId, positionTicks: 100_000_000, isPaused: false })
  return { db, clock, rate, open, hidden, session, report }
}

void t.test('the start of a session keeps old positions of items that are hidden from the account', async (t) => {
  const { db, clock, rate, open, hidden, session, report } = await start(t)
  const [old, empty] = [await session(), await session()]
  await report(old, hidden)
  await rate(hidden, 'NC-17')
  clock.advance(100 * DAY_SECONDS)
  await report(await session(), open)
  const left = await db.anyFirst(sql.unsafe`select id from playback_sessions where id in (${old}, ${empty})`)
  t.strictSame(left, [old], 'the one without positions is gone')
  t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from playback_states where media_item_id = ${hidden}`), 1)
})

void t.test('a session goes on with another item after the limit hides the one that it played', async (t) => {
  const { db, rate, open, hidden, session, report } = await start(t)
  const id = await session()
  await report(id, hidden)
  await rate(hidden, 'NC-17')
  await report(id, open)
  t.strictSame(await db.anyFirst(sql.unsafe`select media_item_id from open_plays`), [open])
})
