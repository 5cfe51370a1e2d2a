import { Client } from 'pg'
import { sql } from 'slonik'
import t from 'tap'
import {
  markUnwatched,
  markWatched,
  moveUserData,
  rateItem,
  readUserData,
  setFavourite,
  setLikeLevel,
} from '../../../src/core/user-items/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { twoAccounts, UNKNOWN } from './two-accounts.ts'

const NOTHING = { isFavourite: false, rating: null, likeLevel: 0, isWatched: false }

void t.test('without a stored row an account has the defaults', async (t) => {
  const { services, ada, items } = await twoAccounts(t, 1)
  t.strictSame(await readUserData(services, { profileId: ada, itemId: items[0] ?? '' }), NOTHING)
})

void t.test('each write changes its own columns of the row only', async (t) => {
  const { services, db, ada, bob, items } = await twoAccounts(t, 2)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  const read = () => readUserData(services, key)
  await setFavourite(services, { ...key, isFavourite: true })
  t.strictSame(await read(), { ...NOTHING, isFavourite: true })
  await rateItem(services, { ...key, rating: 7 })
  await setLikeLevel(services, { ...key, level: -2 })
  await markWatched(services, key)
  t.strictSame(await read(), { isFavourite: true, rating: 7, likeLevel: -2, isWatched: true })
  await setFavourite(services, { ...key, isFavourite: false })
  t.strictSame(await read(), { isFavourite: false, rating: 7, likeLevel: -2, isWatched: true })
  await rateItem(services, { ...key, rating: null })
  await setLikeLevel(services, { ...key, level: 0 })
  await markUnwatched(services, key)
  t.strictSame(await read(), NOTHING)
  t.strictSame(await readUserData(services, { ...key, profileId: bob }), NOTHING, 'other accounts are unaffected')
  t.strictSame(await readUserData(services, { ...key, itemId: items[1] ?? '' }), NOTHING, 'nor about another item')
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 1)
})

void t.test('removing a value that was never set is allowed', async (t) => {
  const { services, ada, items } = await twoAccounts(t, 1)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  await setFavourite(services, { ...key, isFavourite: false })
  await rateItem(services, { ...key, rating: null })
  await markUnwatched(services, key)
  t.strictSame(await readUserData(services, key), NOTHING)
})

void t.test('ratings are whole numbers from 1 to 10 or null, without conversion (IN-07)', async (t) => {
  const { services, ada, items } = await twoAccounts(t, 1)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  for (const rating of [1, 10, 5, 5.0]) {
    await rateItem(services, { ...key, rating })
    t.match(await readUserData(services, key), { rating })
  }
  for (const rating of [undefined, 0, -1, 11, 3.5, '2', '', true, false, [2], {}, NaN, Infinity, -Infinity, 2 ** 53]) {
    await t.rejects(
      rateItem(services, { ...key, rating }),
      { code: 'invalid_request', kind: 'invalid', details: { field: 'rating' } },
      JSON.stringify([rating]),
    )
  }
  t.match(await readUserData(services, key), { rating: 5 }, 'a refused report changes nothing')
})

void t.test('levels are whole numbers from -2 to 2, never null (IN-06)', async (t) => {
  const { services, ada, items } = await twoAccounts(t, 1)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  for (const level of [-2, -1, 0, 1, 2, -0]) {
    await setLikeLevel(services, { ...key, level })
    t.match(await readUserData(services, key), { likeLevel: level + 0 })
  }
  for (const level of [undefined, null, 2.5, '2', true, [2], {}, NaN, Infinity]) {
    const wanted = { code: 'invalid_level', message: 'level must be an integer between -2 and 2' }
    await t.rejects(setLikeLevel(services, { ...key, level }), wanted, JSON.stringify([level]))
  }
  for (const level of [3, -3, 2 ** 53, -1e21]) {
    const title = `like_level must be between -2 and 2 (inclusive), got ${level}`
    await t.rejects(setLikeLevel(services, { ...key, level }), { code: 'like_level_out_of_range', title })
  }
})

void t.test('an unknown item is refused, and an id that is not a UUID without a query', async (t) => {
  const { services, clock, db, ada } = await twoAccounts(t, 0)
  // A database that fails every query.
  const nowhere = { clock, db: {} as Database }
  for (const [itemId, given] of [
    [UNKNOWN, services],
    ['1', nowhere],
    ['', nowhere],
    ["' or 1=1", nowhere],
    ['\0', nowhere],
    [`${UNKNOWN} `, nowhere],
  ] as const) {
    const key = { profileId: ada, itemId }
    const missing = { code: 'media_item_not_found', kind: 'not_found' }
    await t.rejects(setFavourite(given, { ...key, isFavourite: true }), missing, JSON.stringify(itemId))
    await t.rejects(setFavourite(given, { ...key, isFavourite: false }), missing)
    await t.rejects(rateItem(given, { ...key, rating: 1 }), missing)
    await t.rejects(setLikeLevel(given, { ...key, level: 1 }), missing)
    await t.rejects(markWatched(given, key), missing)
    await t.rejects(markUnwatched(given, key), missing)
    await t.rejects(rateItem(given, { ...key, rating: 11 }), { code: 'invalid_request' }, 'the value is judged first')
  }
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 0)
})

void t.test('an item that is removed during a write counts as unknown', async (t) => {
  const { services, db, connectionUri, ada, items } = await twoAccounts(t, 1)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  const other = new Client({ connectionString: connectionUri })
  await other.connect()
  t.teardown(() => other.end())
  await other.query('begin; delete from media_items')
  const write = t.rejects(setFavourite(services, { ...key, isFavourite: true }), { code: 'media_item_not_found' })
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await other.query(waiting)).rowCount === 0);
  await other.query('commit')
  await write
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 0)
})

void t.test('concurrent first writes on one item are all stored', async (t) => {
  const { services, db, ada, items } = await twoAccounts(t, 1)
  const key = { profileId: ada, itemId: items[0] ?? '' }
  await Promise.all([
    setFavourite(services, { ...key, isFavourite: true }),
    rateItem(services, { ...key, rating: 9 }),
    setLikeLevel(services, { ...key, level: 1 }),
    markWatched(services, key),
    ...Array.from({ length: 20 }, () => setFavourite(services, { ...key, isFavourite: true })),
  ])
  t.strictSame(await readUserData(services, key), { isFavourite: true, rating: 9, likeLevel: 1, isWatched: true })
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 1)
})

void t.test('rows are deleted with their item and with their account', async (t) => {
  const { services, db, ada, bob, items } = await twoAccounts(t, 2)
  for (const profileId of [ada, bob]) {
    for (const itemId of items) await setLikeLevel(services, { profileId: profileId, itemId, level: 1 })
  }
  const count = () => db.oneFirst(sql.unsafe`select count(*) from user_items`)
  await db.query(sql.unsafe`delete from media_items where id = ${items[0] ?? ''}`)
  t.equal(await count(), 2)
  await db.query(sql.unsafe`delete from users where id = ${bob}`)
  t.equal(await count(), 1)
})

void t.test('an item takes over the user data of another; the data of the other has priority', async (t) => {
  const { services, db, ada, bob, items } = await twoAccounts(t, 2)
  const [toId = '', fromId = ''] = items
  const old = { profileId: ada, itemId: toId }
  const fresh = { profileId: ada, itemId: fromId }
  await setFavourite(services, { ...old, isFavourite: true })
  await rateItem(services, { ...old, rating: 3 })
  await setLikeLevel(services, { ...old, level: 1 })
  await rateItem(services, { ...fresh, rating: 8 })
  await markWatched(services, { ...fresh, profileId: bob })
  await moveUserData(db, { fromId, toId })
  t.strictSame(await readUserData(services, old), { isFavourite: true, rating: 8, likeLevel: 1, isWatched: false })
  t.strictSame(await readUserData(services, { ...old, profileId: bob }), { ...NOTHING, isWatched: true })
})
