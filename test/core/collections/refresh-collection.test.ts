import { sql } from 'slonik'
import t from 'tap'
import { refreshCollection } from '../../../src/core/collections/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { openDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { fillTable, testDatabase } from '../../support/database.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { makeCollections, takeSteps } from './refresh-steps.ts'

const ITEMS = 20

const { pool: db, environment } = await testDatabase(t)
const setup = await makeCollections(db, { folder: t.testdir(), films: ITEMS })
const { services, by, libraryId, makeCollection } = setup

/** `npm run soak -- refresh-steps` runs other steps, and more of them. */
void t.test(
  'after any steps a refresh keeps the order of remaining items, appends new ones, and removes the rest',
  (t) => takeSteps(t, setup, { random: seededRandom(1), steps: 60 }),
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
  const id = await makeCollection()
  const start = await written()
  const refresh = () => refreshCollection({ ...services, db: alone.pool }, { id, by })
  t.strictSame(await refresh(), { added: ITEMS, removed: 0 })
  const before = await written()
  t.equal(before - start, ITEMS + 1, 'its members, and when it was changed')
  t.strictSame(await refresh(), { added: 0, removed: 0 })
  t.equal((await written()) - before, 0)
})

void t.test('more members than one statement writes are added in one order', async (t) => {
  await fillTable(
    db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, added_at, created_at, updated_at)
    select ${libraryId}, 'movie', n::text, lpad(n::text, 5, '0'), 2001, now(), now(), now() from generate_series(1, 6000) n`,
  )
  const wanted = await db.anyFirst(sql.unsafe`
    select id from media_items where library_id = ${libraryId} and year >= 2000 order by sort_key, id`)
  const id = await makeCollection()
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
