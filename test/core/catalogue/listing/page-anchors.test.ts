import { sql } from 'slonik'
import t from 'tap'
import { createCatalogueCache, listItems } from '../../../../src/core/catalogue/index.ts'
import { fillTable, testDatabase } from '../../../support/database.ts'
import { makeLibrary } from '../../../support/records.ts'

void t.test('pages far down are correct in any order, when repeated, and after changes', async (t) => {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const first = await makeLibrary(db, t.testdir())
  const second = await makeLibrary(db, t.testdir({ other: {} }), 'Others')
  // Names and times with many ties, over two libraries and two levels.
  await fillTable(
    db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, added_at, created_at, updated_at)
    select case when i % 3 = 0 then ${second.id}::uuid else ${first.id}::uuid end, 'movie', n, n, 1990 + i % 20,
      timestamptz '2026-01-01' + (i % 40) * interval '0.000001 seconds', now(), now()
    from generate_series(1, 5000) i, lateral (select chr(97 + i % 26) || (i % 300) as n) names`,
  )
  await db.query(sql.unsafe`
    update media_items set parent_id = (select id from media_items order by id limit 1)
    where id in (select id from media_items order by id offset 4000)`)

  const expected = async (sort: string, order: string, isFirstOnly: boolean): Promise<unknown[]> => {
    const key = sort === 'name' ? sql.fragment`sort_key` : sql.fragment`added_at`
    const way = order === 'desc' ? sql.fragment`desc` : sql.fragment`asc`
    const where = isFirstOnly
      ? sql.fragment`library_id = ${first.id} and parent_id is null and year < 2005`
      : sql.fragment`true`
    const ids = await db.anyFirst(
      sql.unsafe`select id from media_items where ${where} order by ${key} ${way}, id ${way}`,
    )
    return [...ids]
  }
  const compare = async (): Promise<void> => {
    for (const sort of ['name', 'added']) {
      for (const order of ['asc', 'desc']) {
        for (const isFirstOnly of [false, true]) {
          const truth = await expected(sort, order, isFirstOnly)
          const filter = isFirstOnly ? { libraryId: first.id, topLevel: true, yearTo: 2004 } : {}
          for (const offset of [1900, 260, 700, 255, 1000, 1950, 1901, 3300, 1899, 4321, 4320, 4990, 1900]) {
            const { items, total } = await listItems({ catalogueCache }, { ...filter, sort, order, offset, limit: 20 })
            const label = `${sort} ${order} ${offset} ${isFirstOnly ? 'of one library' : 'of all'}`
            t.strictSame(
              items.map(({ id }) => id),
              truth.slice(offset, offset + 20),
              label,
            )
            t.equal(total, truth.length)
          }
        }
      }
    }
  }
  await compare()
  await db.query(
    sql.unsafe`delete from media_items where sort_key like 'b%' and parent_id is null and id <> (select min(id::text)::uuid from media_items)`,
  )
  await db.query(sql.unsafe`update media_items set sort_title = 'aaa' || sort_title where sort_key like 'm%'`)
  await compare()
})
