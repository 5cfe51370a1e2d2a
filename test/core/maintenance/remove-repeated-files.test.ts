import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createCollection, addToCollection, getCollectionWithItems } from '../../../src/core/collections/index.ts'
import { examineRepeatedFiles } from '../../../src/core/catalogue/index.ts'
import { removeRepeatedFiles } from '../../../src/core/maintenance/index.ts'
import {
  listContinueWatching,
  examineRepeatedStates,
  recordProgress,
  removeRepeatedStates,
  startPlaybackSession,
} from '../../../src/core/playback/index.ts'
import { rateItem, readUserData } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testServices } from '../../support/services.ts'

const never = new AbortController().signal

/** A database without a key, as after a dump was loaded without it. */
async function withoutKey(t: Test, key: 'files' | 'states') {
  const services = await testServices(t)
  const { db } = services
  const ids = await makeItems(db, t.testdir(), [
    { name: 'One', sortTitle: 'One' },
    { name: 'Two', sortTitle: 'Two' },
  ])
  await db.query(
    key === 'files'
      ? sql.unsafe`alter table media_items drop constraint media_items_path_key`
      : sql.unsafe`alter table playback_states drop constraint playback_states_pkey`,
  )
  const repeat = async (id: string): Promise<string> =>
    String(
      await db.oneFirst(sql.unsafe`
        insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns,
          added_at, created_at, updated_at)
        select library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns,
          added_at + interval '1 hour', now(), now() from media_items where id = ${id} returning id`),
    )
  const profileId = await makeUser(db, 'ada')
  const device = { deviceId: null, deviceName: null, deviceType: null }
  const { id: sessionId } = await startPlaybackSession(services, { profileId, ...device })
  return { services, db, one: ids[0] ?? '', two: ids[1] ?? '', repeat, profileId, sessionId }
}

void t.test(
  'repeated rows of files become one, with what users did to any of them, and the key is added (F-35)',
  async (t) => {
    const { services, db, one, two, repeat, profileId, sessionId } = await withoutKey(t, 'files')
    const [copy, later] = [await repeat(one), await repeat(one)]
    await rateItem(services, { profileId, itemId: copy, rating: 9 })
    await recordProgress(services, {
      profileId,
      sessionId,
      mediaItemId: later,
      positionTicks: 500_000_000,
      durationTicks: 1_000_000_000,
      isPaused: false,
    })
    const by = { id: profileId, isAdmin: true }
    const libraryId = String(await db.oneFirst(sql.unsafe`select id from libraries`))
    const { id } = await createCollection(services, { by, input: { name: 'Some', libraryId } })
    await addToCollection(services, { id, by, itemIds: [later, two] })

    t.strictSame(await examineRepeatedFiles(services), { count: 2, isKeyMissing: true })
    t.strictSame(await removeRepeatedFiles(services, never), { removedCount: 2, hasKey: true })

    t.strictSame([...(await db.anyFirst(sql.unsafe`select id from media_items where name = 'One'`))], [one])
    t.match(await readUserData(services, { profileId, itemId: one }), { rating: 9 })
    t.match(await listContinueWatching(services, { profileId }), [
      { item: { id: one }, state: { positionTicks: 500_000_000 } },
    ])
    t.strictSame([...(await getCollectionWithItems({ db }, { id })).itemIds], [one, two])
    t.strictSame(await examineRepeatedFiles(services), { count: 0, isKeyMissing: false })
    t.strictSame(await removeRepeatedFiles(services, never), { removedCount: 0, hasKey: true }, 'twice is the same')
    await t.rejects(repeat(one), /unique/i)
  },
)

void t.test('an interrupted removal is continued by the next one', async (t) => {
  const { services, one, two, repeat } = await withoutKey(t, 'files')
  await repeat(one)
  await repeat(two)
  const stop = new AbortController()
  let transactions = 0
  const transaction: typeof services.db.transaction = (...work) => {
    transactions += 1
    stop.abort(new Error('stopped'))
    return services.db.transaction(...work)
  }
  const interrupted = { ...services, db: { ...services.db, transaction } }
  await t.rejects(removeRepeatedFiles(interrupted, stop.signal), { message: 'stopped' })
  t.equal(transactions, 1)
  t.strictSame(await examineRepeatedFiles(services), { count: 1, isKeyMissing: true })
  t.strictSame(await removeRepeatedFiles(services, never), { removedCount: 1, hasKey: true })
})

void t.test('of repeated positions the newest is kept, and the key is added (F-35)', async (t) => {
  const { services, db, one, profileId, sessionId } = await withoutKey(t, 'states')
  for (const [minute, ticks] of [
    [2, 20],
    [3, 30],
    [1, 10],
  ] as const)
    await db.query(sql.unsafe`
      insert into playback_states (session_id, profile_id, media_item_id, status, position_ticks, started_at, updated_at)
      values (${sessionId}, ${profileId}, ${one}, 'paused', ${ticks}, now(), now() + make_interval(mins => ${minute}))`)
  t.strictSame(await examineRepeatedStates(services), { count: 2, isKeyMissing: true })
  t.strictSame(await removeRepeatedStates(services), { removedCount: 2, hasKey: true })
  t.strictSame([...(await db.anyFirst(sql.unsafe`select position_ticks::int from playback_states`))], [30])
  t.strictSame(await removeRepeatedStates(services), { removedCount: 0, hasKey: true }, 'twice is the same')
  t.strictSame(await examineRepeatedStates(services), { count: 0, isKeyMissing: false })
})
