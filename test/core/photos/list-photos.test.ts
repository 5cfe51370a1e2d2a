import { sql, type QuerySqlToken } from 'slonik'
import t, { type Test } from 'tap'
import { getPhotoAlbum, listPhotoAlbums } from '../../../src/core/photos/index.ts'
import { selectPhotoAlbums, selectPhotos } from '../../../src/core/photos/queries/read.ts'
import type { Connection, Database } from '../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../support/database.ts'

/** Creates photos, by default a hundred a day, alternating between two libraries; returns the id of one library. */
async function withPhotos(t: Test, count: number, aDay = 100): Promise<{ db: Database; libraryId: string }> {
  const { pool: db } = await testDatabase(t)
  const [libraryId] = await db.anyFirst(sql.unsafe`
    insert into libraries (name, type, created_at, updated_at)
    select n::text, 'photo', now(), now() from generate_series(1, 2) n returning id`)
  await db.query(sql.unsafe`
    with numbered as (select id, row_number() over () - 1 as place from libraries)
    insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    select l.id, 'image', n::text, n::text, now(), now(), now()
    from generate_series(1, ${count}::int) n join numbered l on l.place = n % 2`)
  await db.query(sql.unsafe`
    insert into photos (media_item_id, library_id, orientation, taken_at, taken_local, time_source, is_listed)
    select id, library_id, 1, 1577836800 + name::int * step, timestamp '2020-01-01' + name::int * step * interval '1 second', 'original', true
    from media_items, (select 86400.0 / ${aDay}::int as step) day`)
  await db.query(sql.unsafe`analyze photos`)
  await db.query(sql.unsafe`analyze media_items`)
  return { db, libraryId: String(libraryId) }
}

/** The query plan of the statement that `ask` sends. */
async function planOf(db: Database, ask: (connection: Connection) => Promise<unknown>): Promise<string> {
  const asked: QuerySqlToken[] = []
  const listening = {
    any: async (query: QuerySqlToken) => {
      asked.push(query)
      return []
    },
  } as unknown as Connection
  await ask(listening)
  const lines: unknown[] = []
  for (const query of asked) lines.push(...(await db.anyFirst(sql.unsafe`explain ${query}`)))
  return lines.join('\n')
}

void t.test('a page of days or photos is read from the indexes, however many there are', async (t) => {
  const { db, libraryId } = await withPhotos(t, 20_000)
  const page = { limit: 50, offset: 0 }
  const plans = {
    'days of all libraries': await planOf(db, (connection) => selectPhotoAlbums(connection, page)),
    'days of one': await planOf(db, (connection) => selectPhotoAlbums(connection, { ...page, libraryId })),
    'the newest photos': await planOf(db, (connection) => selectPhotos(connection, page)),
    'the newest of one library': await planOf(db, (connection) => selectPhotos(connection, { ...page, libraryId })),
    'a day': await planOf(db, (connection) => selectPhotos(connection, { ...page, date: '2020-03-01' })),
  }
  for (const [name, plan] of Object.entries(plans)) t.notMatch(plan, /Seq Scan/, `${name}\n${plan}`)
  const albums = await selectPhotoAlbums(db, { limit: 2, offset: 1, libraryId })
  t.match(albums, [
    { date: '2020-07-18', photoCount: 50 },
    { date: '2020-07-17', photoCount: 50 },
  ])
})

void t.test(
  'an album with more photos than a list embeds has the total count, within the requested library',
  async (t) => {
    const { db, libraryId } = await withPhotos(t, 12_000, 12_002)
    for (const filter of [{}, { libraryId }]) {
      const [listed] = (await listPhotoAlbums({ db }, filter)).albums
      const { photoCount, photos } = await getPhotoAlbum({ db }, { id: '2020-01-01', ...filter })
      t.strictSame([photoCount, photos.length], ['libraryId' in filter ? 6000 : 12_000, 5000])
      t.equal(photoCount, listed?.photoCount)
    }
  },
)
