import { sql, type QuerySqlToken } from 'slonik'
import t from 'tap'
import type { Connection } from '../../../src/core/platform/database/index.ts'
import { listFavourites, rateItem, setFavourite, type UserItemKey } from '../../../src/core/user-items/index.ts'
import { selectFavourites } from '../../../src/core/user-items/queries.ts'
import { makeFilms, twoAccounts } from './two-accounts.ts'

async function setup(...[t, films]: Parameters<typeof twoAccounts>) {
  const given = await twoAccounts(t, films)
  const { services } = given
  const list = async (profileId: string, page: { limit?: number; offset?: number } = {}): Promise<string[]> =>
    (await listFavourites(services, { profileId: profileId, ...page })).favourites.map(({ item }) => item.id)
  const add = (key: UserItemKey) => setFavourite(services, { ...key, isFavourite: true })
  const remove = (key: UserItemKey) => setFavourite(services, { ...key, isFavourite: false })
  return { ...given, list, add, remove }
}

void t.test('the newest favourite comes first, and one that is added twice keeps its position', async (t) => {
  const { clock, ada, bob, items, list, add, remove } = await setup(t, 3)
  const [a = '', b = '', c = ''] = items
  t.strictSame(await list(ada), [])
  for (const itemId of [b, a, c]) {
    await add({ profileId: ada, itemId })
    clock.advance(1)
  }
  t.strictSame(await list(ada), [c, a, b])
  t.strictSame(await list(bob), [])
  await add({ profileId: ada, itemId: b })
  t.strictSame(await list(ada), [c, a, b], 'adding it twice has no effect')
  await remove({ profileId: ada, itemId: b })
  t.strictSame(await list(ada), [c, a])
  await add({ profileId: ada, itemId: b })
  t.strictSame(await list(ada), [b, c, a], 'removed and added again is new')
})

void t.test('favourites of the same time are ordered by id, so that pages neither repeat nor skip', async (t) => {
  const { ada, items, list, add } = await setup(t, 7)
  await Promise.all(items.map((itemId) => add({ profileId: ada, itemId })))
  t.strictSame(await list(ada), items.toSorted())
  const pages = [0, 3, 6, 9].map((offset) => list(ada, { limit: 3, offset }))
  t.strictSame((await Promise.all(pages)).flat(), items.toSorted())
})

void t.test('pages are clamped: limit 1 to 100, offset from 0', async (t) => {
  const { services, ada } = await setup(t, 0)
  const page = (request: object) => listFavourites(services, { profileId: ada, ...request })
  t.match(await page({}), { limit: 50, offset: 0 })
  t.match(await page({ limit: 0, offset: -1 }), { limit: 1, offset: 0 })
  t.match(await page({ limit: 101, offset: 7.9 }), { limit: 100, offset: 7 })
  t.match(await page({ limit: Infinity, offset: Infinity }), { limit: 100, offset: Number.MAX_SAFE_INTEGER })
  t.match(await page({ limit: NaN, offset: NaN }), { limit: 50, offset: 0 })
})

void t.test(
  'a favourite shows the other data of its account; an item whose file is missing stays listed',
  async (t) => {
    const { services, db, ada, bob, items, add } = await setup(t, 1)
    const key = { profileId: ada, itemId: items[0] ?? '' }
    await add(key)
    await rateItem(services, { ...key, rating: 8 })
    await rateItem(services, { ...key, profileId: bob, rating: 2 })
    await db.query(sql.unsafe`update media_items set missing_since = now()`)
    const { favourites } = await listFavourites(services, { profileId: ada })
    t.match(favourites, [
      {
        item: { id: key.itemId },
        userData: { isFavourite: true, rating: 8, likeLevel: 0, isWatched: false },
      },
    ])
  },
)

void t.test('a page of many favourites is read from the index, without sorting', async (t) => {
  const { db, ada, bob } = await twoAccounts(t, 0)
  await makeFilms(t, db, 4000)
  await db.query(sql.unsafe`
    insert into user_items (profile_id, media_item_id, favourite_since, rating)
    select u.id, i.id, case when n % 10 < 7 then now() - n * 7919 % 4001 * interval '2 hours' end, 5
    from (select id, row_number() over () as n from media_items) i, users u where u.id in (${ada}, ${bob})`)
  await db.query(sql.unsafe`analyze user_items`)
  const asked: QuerySqlToken[] = []
  const explaining = {
    any: async (query: QuerySqlToken) => {
      asked.push(query)
      return []
    },
  } as unknown as Connection
  await selectFavourites(explaining, { profileId: ada, limit: 50, offset: 100 })
  t.equal(asked.length, 1)
  for (const query of asked) {
    const plan = JSON.stringify(await db.anyFirst(sql.unsafe`explain ${query}`))
    t.match(plan, /Index Scan using user_items_favourites/)
    t.notMatch(plan, /Sort|Seq Scan/)
  }
})
