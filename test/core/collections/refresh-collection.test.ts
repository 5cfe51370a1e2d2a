import { randomInt } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import {
  addToCollection,
  changeCollection,
  createCollection,
  readCollection,
  refreshCollection,
  removeFromCollection,
} from '../../../src/core/collections/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { openDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createSmartPlaylist } from '../../../src/core/smart-playlists/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const ITEMS = 20
const STEPS = 250

const { pool: db, environment } = await testDatabase(t)
const services = { db, clock: movableClock() }
const by = { id: await makeUser(db, 'curator'), isAdmin: false }
const names = Array.from({ length: ITEMS }, (_, index) => `Film ${String(index).padStart(2, '0')}`)
const items = await makeItems(
  db,
  t.testdir(),
  names.map((name) => ({ name, sortTitle: name, year: 1999 })),
)
const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${items[0] ?? ''}`))

/** A collection of the films from 2000 on, by their names. */
async function make(): Promise<string> {
  const rules = { field: 'year', op: 'gte', value: 2000 }
  const input = { name: 'New films', libraryId, rules, sortBy: 'title', isDescending: false }
  const playlist = await createSmartPlaylist(services, { by, input })
  return (
    await createCollection(services, { by, input: { name: 'New films', libraryId, smartPlaylistId: playlist.id } })
  ).id
}

async function contentOf(id: string): Promise<string[]> {
  return (await readCollection({ db }, { id })).items.map((item) => item.id)
}

function shuffled(ids: readonly string[]): string[] {
  return ids
    .map((id) => [randomInt(2 ** 32), id] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, id]) => id)
}

void t.test(
  'after any steps a refresh keeps what stays in its order, appends what is new, and removes the rest',
  async (t) => {
    const id = await make()
    const fitting = new Set<string>()
    let content: string[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const item = items[randomInt(ITEMS)] ?? ''
      switch (randomInt(6)) {
        case 0:
          fitting.add(item)
          await db.query(sql.unsafe`update media_items set year = 2001 where id = ${item}`)
          break
        case 1:
          fitting.delete(item)
          await db.query(sql.unsafe`update media_items set year = 1999 where id = ${item}`)
          break
        case 2: {
          const named = shuffled(content).slice(0, randomInt(content.length + 1))
          content = [...named, ...content.filter((one) => !named.includes(one))]
          await changeCollection(services, { id, by, changes: { itemIds: named } })
          break
        }
        case 3:
          if (!content.includes(item)) content.push(item)
          await addToCollection(services, { id, by, itemIds: [item] })
          break
        case 4:
          if (!content.includes(item)) break
          content = content.filter((one) => one !== item)
          await removeFromCollection(services, { id, by, itemId: item })
          break
        default: {
          const kept = content.filter((one) => fitting.has(one))
          const added = items.filter((one) => fitting.has(one) && !content.includes(one))
          const expected = { added: added.length, removed: content.length - kept.length }
          content = [...kept, ...added]
          const done = await refreshCollection(services, { id, by })
          if (JSON.stringify(done) !== JSON.stringify(expected)) t.strictSame(done, expected, `step ${step}`)
        }
      }
      const found = await contentOf(id)
      if (JSON.stringify(found) !== JSON.stringify(content)) t.strictSame(found, content, `step ${step}`)
    }
    t.pass(`${STEPS} steps`)
  },
)

void t.test('a refresh that finds nothing new writes nothing', async (t) => {
  await db.query(sql.unsafe`update media_items set year = 2001`)
  // On one connection, whose own counts of written rows are then complete.
  const config = loadConfig({ environment: { ...environment, DB_POOL_ENABLED: 'false' } })
  const alone = await openDatabase({ config, log: await createLogger(config, { level: 'critical' }) })
  t.teardown(() => alone.close())
  const written = async (): Promise<number> => {
    await alone.pool.query(sql.unsafe`select pg_stat_force_next_flush()`)
    return Number(
      await alone.pool.oneFirst(sql.unsafe`select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables`),
    )
  }
  const id = await make()
  const start = await written()
  const refresh = () => refreshCollection({ ...services, db: alone.pool }, { id, by })
  t.strictSame(await refresh(), { added: ITEMS, removed: 0 })
  const before = await written()
  t.equal(before - start, ITEMS + 1, 'its members, and when it was changed')
  t.strictSame(await refresh(), { added: 0, removed: 0 })
  t.equal((await written()) - before, 0)
})

void t.test('more members than one statement writes come in one order', async (t) => {
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, added_at, created_at, updated_at)
    select ${libraryId}, 'movie', n::text, lpad(n::text, 5, '0'), 2001, now(), now(), now() from generate_series(1, 6000) n`)
  const wanted = await db.anyFirst(sql.unsafe`
    select id from media_items where library_id = ${libraryId} and year >= 2000 order by sort_key, id`)
  const id = await make()
  t.strictSame(await refreshCollection(services, { id, by }), { added: wanted.length, removed: 0 })
  const content = await db.anyFirst(sql.unsafe`
    select media_item_id from collection_items where collection_id = ${id} order by sort_order`)
  t.strictSame(content, wanted)
  t.equal(
    await db.oneFirst(sql.unsafe`select count(distinct sort_order) from collection_items where collection_id = ${id}`),
    wanted.length,
  )
  await db.query(sql.unsafe`update media_items set year = 1999 where library_id = ${libraryId}`)
  t.strictSame(await refreshCollection(services, { id, by }), { added: 0, removed: wanted.length })
})
