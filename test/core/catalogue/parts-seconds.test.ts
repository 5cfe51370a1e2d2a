import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { getItem, listFilesOfItems, listItemParts, listItemSources } from '../../../src/core/catalogue/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { holdLocks } from '../../support/row-locks.ts'

/** Films of 100, 200, 300 and 400 s, with the operations of the tests. */
async function films(t: Test) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const seconds = [100, 200, 300, 400].map((durationSeconds) => ({ durationSeconds }))
  const ids = (await makeItems(db, reachableDirectory(t), seconds)) as [string, string, string, string]
  const run = (statement: ReturnType<typeof sql.fragment>) => db.query(sql.unsafe`${statement}`)
  const belong = (id: string, primary: string, role = 'part', order = 2) =>
    run(
      sql.fragment`update media_items set role = ${role}, primary_id = ${primary}, role_order = ${order} where id = ${id}`,
    )
  const lengthOf = async (id: string) => {
    const { durationSeconds, fileSeconds } = await getItem({ db }, id)
    return [durationSeconds, fileSeconds]
  }
  return { db, connectionUri, ids, run, belong, lengthOf }
}

void t.test('the duration of an item is the sum of its present parts, whichever statement writes them', async (t) => {
  const { db, ids, run, belong, lengthOf } = await films(t)
  const [film, second, third, other] = ids
  await belong(second, film)
  t.strictSame(await lengthOf(film), [300, 100])
  await belong(third, film, 'part', 3)
  t.strictSame(await lengthOf(film), [600, 100])
  t.strictSame(
    (await listItemParts({ db }, film)).map(({ id }) => id),
    [second, third],
  )
  await run(sql.fragment`update media_items set duration_seconds = 250 where id = ${second}`)
  t.strictSame(await lengthOf(film), [650, 100])
  await run(sql.fragment`update media_items set missing_since = now() where id = ${third}`)
  t.strictSame(await lengthOf(film), [350, 100])
  await run(sql.fragment`update media_items set missing_since = null where id = ${third}`)
  await run(sql.fragment`update media_items set duration_seconds = null where id = ${second}`)
  t.strictSame(await lengthOf(film), [400, 100], 'an unreadable file does not count')
  t.strictSame(
    (await listItemParts({ db }, film)).map(({ id }) => id),
    [third],
  )
  await run(sql.fragment`update media_items set primary_id = ${other} where id = ${third}`)
  t.strictSame(
    [await lengthOf(film), await lengthOf(other)],
    [
      [100, 100],
      [700, 400],
    ],
  )
  await run(sql.fragment`update media_items set role = 'version' where id = ${third}`)
  t.strictSame(await lengthOf(other), [400, 400], 'a version is not a part')
  await belong(third, film)
  await run(sql.fragment`delete from media_items where id = ${third}`)
  t.strictSame(await lengthOf(film), [100, 100])
  await belong(other, film)
  await run(sql.fragment`delete from media_items where id = ${film}`)
  t.strictSame(await lengthOf(other), [400, 400])
})

void t.test('parts of a part are parts of the film, and cycles of parts end', async (t) => {
  const { db, ids, run, belong, lengthOf } = await films(t)
  const [film, disc, inner, other] = ids
  await belong(disc, film)
  await belong(inner, disc)
  await belong(other, film, 'part', 3)
  t.strictSame(await lengthOf(film), [1000, 100])
  t.strictSame(
    (await listItemParts({ db }, film)).map(({ id }) => id),
    [disc, inner, other],
  )
  await run(sql.fragment`update media_items set duration_seconds = 1 where id = ${inner}`)
  t.strictSame(await lengthOf(film), [701, 100])
  await belong(film, inner)
  t.strictSame(await lengthOf(inner), [701, 1])
  t.ok((await listItemParts({ db }, film)).length < 20)
  await run(sql.fragment`update media_items set role = null, primary_id = null where id = ${film}`)
  t.strictSame(await lengthOf(film), [701, 100])
})

void t.test('two transactions that each write a part of one film leave it with the sum of both', async (t) => {
  const { connectionUri, ids, run, belong, lengthOf } = await films(t)
  const [film, second, third] = ids
  await belong(second, film)
  await belong(third, film, 'part', 3)
  const holder = await holdLocks(t, connectionUri)
  await holder.query('update media_items set duration_seconds = 20 where id = $1', [second])
  const writing = run(sql.fragment`update media_items set duration_seconds = 3 where id = ${third}`)
  writing.catch(() => {})
  await holder.waiting(1)
  await holder.commit()
  await writing
  t.strictSame(await lengthOf(film), [123, 100])
})

void t.test('the files of an item are its own with its parts, then each version with its own', async (t) => {
  const { db, ids, run, belong } = await films(t)
  const [film, second, version, versionPart] = ids
  await belong(second, film)
  await belong(version, film, 'version', 1)
  await run(sql.fragment`update media_items set role_label = '4K' where id = ${version}`)
  await belong(versionPart, version)
  const files = (await listFilesOfItems({ db }, [film, second])).get(film)
  t.match(files, [
    { id: film, role: null },
    { id: second, role: 'part' },
    { id: version, role: 'version', label: '4K' },
    { id: versionPart, role: 'part' },
  ])
  const sources = await listItemSources({ db }, await getItem({ db }, film))
  t.match(sources, [
    { item: { id: film }, label: null, parts: [{ id: second }] },
    { item: { id: version, durationSeconds: 700 }, label: '4K', parts: [{ id: versionPart }] },
  ])
  t.equal(sources.length, 2)
})

void t.test('lists are read by an index that holds the whole duration', async (t) => {
  const { db, ids, belong } = await films(t)
  await belong(ids[1], ids[0])
  const Line = z.strictObject({ line: z.string() })
  const lines = await db.transaction(async (connection) => {
    await connection.query(sql.unsafe`set local enable_seqscan = off`)
    await connection.query(sql.unsafe`set local enable_sort = off`)
    const rows = await connection.any(sql.unsafe`
      explain select i.id from media_items i join (select library_id from media_items limit 1) l on true
      where i.library_id = (select library_id from media_items limit 1) and i.role is null and i.parent_id is null
      order by (i.duration_seconds + i.parts_seconds), i.id limit 10`)
    return rows.map((row) => Line.parse({ line: Object.values(row as object)[0] }).line)
  })
  t.match(lines.join('\n'), /media_items_top_by_runtime/)
})

void t.test('the update sums the existing parts in one statement', async (t) => {
  const { db, ids, connectionUri, run, belong, lengthOf } = await films(t)
  const [film, second, third] = ids
  await belong(second, film)
  await belong(third, second)
  await run(sql.fragment`update media_items set parts_seconds = 0`)
  t.strictSame(await lengthOf(film), [100, 100])
  const migration = readFileSync(
    new URL('../../../migrations/0046_films_of_several_files.sql', import.meta.url),
    'utf8',
  )
  const [statement = ''] = /^(?:with recursive parts as|select sum_parts\()[^;]*/m.exec(migration) ?? []
  t.match(statement, 'media_items')
  await run(sql.fragment`create table updates (id integer)`)
  await run(sql.fragment`
    create function note_update() returns trigger language plpgsql as
    'begin insert into updates values (1); return null; end'`)
  await run(sql.fragment`
    create trigger updates after update on media_items for each statement execute function note_update()`)
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  await client.query(statement)
  await client.end()
  t.strictSame(await lengthOf(film), [600, 100])
  t.strictSame(await lengthOf(second), [500, 200])
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from updates`), 1)
})
