import { Client } from 'pg'
import { sql, type QuerySqlToken } from 'slonik'
import t, { type Test } from 'tap'
import { createCatalogueCache, listItems } from '../../../src/core/catalogue/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'

async function setup(t: Test) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const ids = await makeItems(db, t.testdir(), [
    { name: 'Alien', sortTitle: 'Alien' },
    { name: 'Brazil', sortTitle: 'Brazil' },
  ])
  const version = () => catalogueCache.readVersion()
  const run = (statement: QuerySqlToken) => db.query(statement)
  const overviews = async () =>
    (await listItems({ catalogueCache }, {})).items.map(({ metadata }) => metadata['overview'] ?? null)
  return { db, catalogueCache, connectionUri, ids, version, run, overviews }
}

const sumUp = sql.unsafe`select sum_item_tallies()`

void t.test('a change that commits later than a newer one is visible when it is committed', async (t) => {
  const { connectionUri, ids, version, run, overviews } = await setup(t)
  await run(sumUp)
  const slow = new Client({ connectionString: connectionUri })
  await slow.connect()
  await slow.query('begin')
  await slow.query(`update media_items set metadata = '{"overview": "new"}' where id = $1`, [ids[0]])
  await slow.query('select sum_item_tallies()')
  await run(sql.unsafe`update media_items set metadata = '{"overview": "other"}' where id = ${ids[1] ?? ''}`)
  const before = await version()
  t.strictSame(await overviews(), [null, 'other'])
  await slow.query('commit')
  await slow.end()
  t.not(await version(), before)
  t.strictSame(await overviews(), ['new', 'other'])
})

void t.test('an emptied catalogue has another version than before it was filled', async (t) => {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const versions = new Set([await catalogueCache.readVersion()])
  for (const round of [1, 2, 3]) {
    const [id = ''] = await makeItems(db, t.testdir({ [`round ${round}`]: {} }), [{}])
    versions.add(await catalogueCache.readVersion())
    await db.query(sql.unsafe`delete from media_items where id = ${id}`)
    await db.query(sumUp)
    versions.add(await catalogueCache.readVersion())
  }
  t.equal(versions.size, 7)
})

void t.test('added and removed parts are a change of their film', async (t) => {
  const { ids, version, run } = await setup(t)
  await run(sql.unsafe`update media_items set role = 'part', primary_id = ${ids[0] ?? ''} where id = ${ids[1] ?? ''}`)
  const withPart = await version()
  await run(sql.unsafe`delete from media_items where id = ${ids[1] ?? ''}`)
  const without = await version()
  t.not(without, withPart)
  await run(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, metadata, role, primary_id, added_at, created_at, updated_at)
    select library_id, type, name, sort_title, metadata, 'part', id, added_at, created_at, updated_at from media_items`)
  t.not(await version(), without)
})

void t.test('a truncated table is a change, and its items are gone', async (t) => {
  const { db, catalogueCache, version, run } = await setup(t)
  for (const table of ['item_sidecars', 'media_streams', 'music_tracks', 'provider_artwork', 'music_covers']) {
    const before = await version()
    await run(sql.unsafe`truncate ${sql.identifier([table])}`)
    t.not(await version(), before, table)
  }
  t.equal((await listItems({ catalogueCache }, {})).total, 2)
  await run(sql.unsafe`truncate media_items cascade`)
  t.match(await listItems({ catalogueCache }, {}), { total: 0, items: [] })
  await makeItems(db, t.testdir({ again: {} }), [{}])
  t.equal((await listItems({ catalogueCache }, {})).total, 1)
})

void t.test('hundreds of changes leave few rows', async (t) => {
  const { db, ids, run } = await setup(t)
  const rows = async () => Number(await db.oneFirst(sql.unsafe`select count(*)::int from item_tallies`))
  const repeat = async (change: QuerySqlToken) => {
    await run(sumUp)
    // 300 at a time, so that each statement stays below the statement timeout.
    for (let time = 0; time < 4; time += 1) await run(change)
  }
  await repeat(sql.unsafe`
    do $$ begin for round in 1..300 loop update media_items set year = 1900 + round; end loop; end $$`)
  t.ok((await rows()) < 1200, 'of items, each of which leaves three')
  await run(sql.unsafe`
    insert into provider_artwork (media_item_id, kind, url) values (${ids[0] ?? ''}, 'poster', 'https://image.example/a.jpg')`)
  await repeat(sql.unsafe`
    do $$ begin for round in 1..300 loop update provider_artwork set url = 'https://image.example/' || round; end loop; end $$`)
  t.ok((await rows()) < 600, 'of pictures, each of which leaves one')
})
