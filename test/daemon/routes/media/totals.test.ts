import { sql } from 'slonik'
import t from 'tap'
import { pick } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { fillTable } from '../../../support/database.ts'
import { FILMS, startFilmCatalogue } from '../../../support/film-catalogue.ts'
import { makeLibrary } from '../../../support/records.ts'

const filmCatalogue = await startFilmCatalogue(t)

void t.test('totals follow every change: new, renamed, moved and removed items, by whichever process', async (t) => {
  const { get, services, names, ids } = filmCatalogue
  const total = async (query: string) => pick((await get(`/media?${query}`)).json, 'total')
  t.equal(await total('genres[]=Action'), 2)
  t.equal(await total('actors[]=Keanu Reeves'), 2)
  await services.db.query(sql.unsafe`
    update media_items set metadata = '{"genres": ["Action"], "actors": ["Keanu Reeves"]}', year = 1950 where id = ${ids[2] ?? ''}`)
  t.equal(await total('genres[]=Action'), 3)
  t.equal(await total('actors[]=Keanu Reeves'), 3)
  t.equal(await total('yearTo=1950'), 1)
  await services.db.query(sql.unsafe`update media_items set role = 'extra' where id = ${ids[0] ?? ''}`)
  t.equal(await total(''), 5)
  t.equal(await total('actors[]=Keanu Reeves'), 2)
  await services.db.query(sql.unsafe`delete from media_items where id = ${ids[1] ?? ''}`)
  t.equal(await total(''), 4)
  t.notOk((await names('')).includes('John Wick'))
  await services.db.query(sql.unsafe`select sum_item_tallies()`)
  t.equal(await total(''), 4, 'summing the differences up changes nothing')
  await services.db.query(sql.unsafe`delete from libraries`)
  t.equal(await total(''), 0)
  await services.db.query(sql.unsafe`select sum_item_tallies()`)
  t.equal(
    await services.db.oneFirst(sql.unsafe`select count(*) from item_tallies`),
    1,
    'one row: its id has never been there',
  )
})

void t.test('a search is counted up to 10,000, and further for higher offsets', async (t) => {
  const { services, get } = filmCatalogue
  const { id: libraryId } = await makeLibrary(services.db, t.testdir(), 'Copper')
  await fillTable(
    services.db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, metadata, added_at, created_at, updated_at)
    select ${libraryId}, 'video', 'Copper ' || i, 'Copper ' || i, '{}', now(), now(), now() from generate_series(1, 10050) i`,
  )
  const page = async (offset: number) => (await get(`/media?search=copper&limit=50&offset=${offset}`)).json
  t.equal(pick(await page(0), 'total'), 10_000)
  t.equal(pick(await page(9950), 'total'), 10_000)
  for (const offset of [9951, 10_000]) {
    const last = await page(offset)
    t.equal(pick(last, 'total'), 10_050)
    t.equal((pick(last, 'items') as unknown[]).length, 50, 'and none of them is out of reach')
  }
  t.equal(pick((await get('/media/letter-index?search=copper')).json, 'total'), 10_050)
})

void t.test('the counts are exact after thousands of writes in any order', async (t) => {
  const { services, get } = filmCatalogue
  await makeItems(services.db, t.testdir(), FILMS)
  const libraryId = String(pick((await get('/media')).json, 'items', 0, 'library_id'))
  await fillTable(
    services.db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, year, metadata, added_at, created_at, updated_at)
    select ${libraryId}, 'video', chr(97 + i % 26) || i, chr(97 + i % 26) || i, 1950 + i % 50,
      jsonb_build_object('genres', jsonb_build_array('G' || i % 7)), now(), now(), now() from generate_series(1, 2000) i`,
  )
  for (let round = 0; round < 5; round += 1) {
    await services.db.query(sql.unsafe`
      update media_items set sort_title = 'z' || sort_title, year = year + 1 where abs(hashtext(id::text)) % 5 = ${round}`)
    await services.db.query(
      sql.unsafe`delete from media_items where type = 'video' and abs(hashtext(id::text)) % 31 = ${round}`,
    )
  }
  const truth = (await services.db.one(sql.unsafe`
    select count(*) as items, count(*) filter (where year between 1960 and 1970) as years,
      count(*) filter (where metadata->'genres' ? 'G3') as genres from media_items where role is null`)) as Record<
    string,
    unknown
  >
  for (const [query, key] of [
    ['', 'items'],
    ['yearFrom=1960&yearTo=1970', 'years'],
    ['genres[]=G3', 'genres'],
  ] as const) {
    t.equal(pick((await get(`/media?${query}`)).json, 'total'), truth[key], key)
  }
  const letters = pick((await get('/media/letter-index')).json, 'letters') as { letter: string; offset: number }[]
  for (const { letter, offset } of letters) {
    const { json } = await get(`/media?sort=name&limit=1&offset=${offset}`)
    const title = String(pick(json, 'items', 0, 'sort_title')).toUpperCase()
    if (/[A-Z]/.test(letter)) t.equal(title[0], letter, `the first of ${letter} stands at ${offset}`)
  }
})
