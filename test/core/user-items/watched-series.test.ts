import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import {
  listFavourites,
  markUnwatched,
  markWatched,
  readUserData,
  setFavourite,
} from '../../../src/core/user-items/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { episodes } from '../../support/film-catalogue.ts'
import { twoAccounts } from './two-accounts.ts'

/** A series of two seasons and a special, and the names of the groups that an account has watched. */
async function setup(t: Test) {
  const { db, services, ada, bob } = await twoAccounts(t, 0)
  await makeItems(db, t.testdir(), episodes(['1:1', '1:2', '2:1', '0:1']))
  const rows = await db.any(sql.type(z.strictObject({ id: z.string(), name: z.string() }))`
    select id, name from media_items order by name`)
  const idOf = new Map<string, string>()
  for (const { id, name } of rows) idOf.set(name, id)
  const keyOf = (name: string, profileId = ada) => ({ profileId, itemId: idOf.get(name) ?? '' })
  const watch = (name: string) => markWatched(services, keyOf(name))
  const unwatch = (name: string) => markUnwatched(services, keyOf(name))
  const watched = async (profileId = ada) => {
    const names: string[] = []
    for (const name of idOf.keys())
      if ((await readUserData(services, keyOf(name, profileId))).isWatched) names.push(name)
    return names
  }
  return { db, services, ada, bob, keyOf, watch, unwatch, watched }
}

const WHOLE_SHOW = [
  'Episode 0:1',
  'Episode 1:1',
  'Episode 1:2',
  'Episode 2:1',
  'Season 0',
  'Season 1',
  'Season 2',
  'Show',
]

void t.test('marking a series or season marks every episode of it, for this account', async (t) => {
  const { bob, watch, unwatch, watched } = await setup(t)
  await watch('Season 1')
  t.strictSame(await watched(), ['Episode 1:1', 'Episode 1:2', 'Season 1'])
  await watch('Show')
  t.strictSame(await watched(), WHOLE_SHOW, 'the specials too')
  t.strictSame(await watched(bob), [])
  await unwatch('Season 1')
  t.strictSame(await watched(), ['Episode 0:1', 'Episode 2:1', 'Season 0', 'Season 2'])
  await unwatch('Show')
  t.strictSame(await watched(), [])
})

void t.test('a series or season is watched while every episode is', async (t) => {
  const { db, ada, services, keyOf, watch, unwatch, watched } = await setup(t)
  for (const name of ['Episode 1:1', 'Episode 2:1', 'Episode 0:1']) await watch(name)
  t.notOk((await watched()).includes('Show'))
  await watch('Episode 1:2')
  t.strictSame(await watched(), WHOLE_SHOW, 'the last one completes it')
  await setFavourite(services, { ...keyOf('Show'), isFavourite: true })
  const favourite = async () => (await listFavourites(services, { profileId: ada })).favourites[0]?.userData
  t.match(await favourite(), { isFavourite: true, isWatched: true })
  await unwatch('Episode 2:1')
  t.strictSame(await watched(), ['Episode 0:1', 'Episode 1:1', 'Episode 1:2', 'Season 0', 'Season 1'])
  t.match(await favourite(), { isFavourite: true, isWatched: false })
  await watch('Show')
  await db.query(sql.unsafe`
    update media_items set role = 'version', parent_id = null where name = 'Episode 2:1'`)
  t.ok((await watched()).includes('Show'), 'versions do not count')
  await db.query(
    sql.unsafe`update user_items set watched_at = null where media_item_id = ${keyOf('Episode 1:1').itemId}`,
  )
  t.notOk((await watched()).includes('Show'))
})

void t.test('removing marks writes nothing for episodes without one', async (t) => {
  const { db, watch, unwatch } = await setup(t)
  await watch('Episode 1:1')
  await unwatch('Show')
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items where watched_at is not null`), 0)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 2, 'that episode and the series')
})

void t.test('a series without episodes keeps a mark of its own', async (t) => {
  const { db, watch, unwatch, watched } = await setup(t)
  await db.query(sql.unsafe`delete from media_items where type = 'episode'`)
  await watch('Show')
  t.strictSame(await watched(), ['Show'])
  await unwatch('Show')
  t.strictSame(await watched(), [])
})
