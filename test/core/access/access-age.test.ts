import { sql } from 'slonik'
import t from 'tap'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../support/database.ts'

type Row = { type: string; rating?: string; parent?: string; primary?: string; local?: string }

async function insert(
  db: Database,
  libraryId: string,
  name: string,
  { type, rating, parent, primary, local }: Row,
): Promise<string> {
  return String(
    await db.oneFirst(sql.unsafe`
      insert into media_items (library_id, parent_id, primary_id, role, type, name, sort_title, metadata, local_metadata, added_at, created_at, updated_at)
      values (${libraryId}, ${parent ?? null}, ${primary ?? null}, ${primary === undefined ? null : 'extra'}, ${type}, ${name}, ${name},
        ${sql.jsonb(rating === undefined ? {} : { rating })}, ${sql.jsonb(local === undefined ? {} : { rating: local })}, now(), now(), now())
      returning id`),
  )
}

void t.test('the age of an item is the highest known of it and of all above it', async (t) => {
  const { pool: db } = await testDatabase(t)
  const libraryId = String(
    await db.oneFirst(
      sql.unsafe`insert into libraries (name, type, created_at, updated_at) values ('x', 'series', now(), now()) returning id`,
    ),
  )
  const says = async (id: string) => {
    return db.oneFirst(sql.unsafe`
      select coalesce(access_age::text, '-') || case when is_unrated then ' unrated' else ' rated' end from media_items where id = ${id}`)
  }
  const series = await insert(db, libraryId, 'series', { type: 'series', rating: 'PG' })
  const season = await insert(db, libraryId, 'season', { type: 'season', parent: series })
  const mild = await insert(db, libraryId, 'mild', { type: 'episode', parent: season, rating: 'G' })
  const strong = await insert(db, libraryId, 'strong', { type: 'episode', parent: season, rating: 'NC-17' })
  const extra = await insert(db, libraryId, 'extra', { type: 'video', primary: strong })
  t.strictSame(await Promise.all([series, season, mild, strong, extra].map(says)), [
    '10 rated',
    '10 rated',
    '10 rated',
    '18 rated',
    '18 rated',
  ])

  const rate = (id: string, rating: string | null) =>
    db.query(sql.unsafe`
    update media_items set metadata = ${sql.jsonb(rating === null ? {} : { rating })} where id = ${id}`)
  await rate(series, 'R')
  t.strictSame(
    await Promise.all([series, season, mild, strong].map(says)),
    ['18 rated', '18 rated', '18 rated', '18 rated'],
    'a change reaches all below',
  )
  await rate(series, null)
  t.strictSame(await Promise.all([series, season, mild, strong, extra].map(says)), [
    '- unrated',
    '- unrated',
    '0 unrated',
    '18 unrated',
    '18 unrated',
  ])
  await rate(series, 'G')
  t.strictSame(await Promise.all([series, season, mild, extra].map(says)), [
    '0 rated',
    '0 rated',
    '0 rated',
    '18 rated',
  ])

  await db.query(sql.unsafe`update media_items set parent_id = null where id = ${mild}`)
  await rate(mild, null)
  t.equal(await says(mild), '- unrated', 'on its own it has no rating')
  await db.query(
    sql.unsafe`update media_items set local_metadata = ${sql.jsonb({ rating: 'FSK 6' })}, metadata = ${sql.jsonb({ rating: 'R' })} where id = ${mild}`,
  )
  t.equal(await says(mild), '6 rated', 'the file has priority over providers')
  const isRated = (local: string, edits: unknown) =>
    db.query(sql.unsafe`
      update media_items set local_metadata = ${sql.jsonb({ rating: local })}, metadata = ${sql.jsonb({ rating: 'R', rating_country: 'US' })},
        edits = ${edits === null ? null : JSON.stringify(edits)}::jsonb where id = ${mild}`)
  await isRated('Not Rated', null)
  t.equal(await says(mild), '17 rated', 'a file whose rating is not understood does not hide that of a provider')
  await isRated('FSK 6', { metadata: { rating: 'Not Rated' } })
  t.equal(await says(mild), '- unrated', 'what a person has entered has priority over all')
  await isRated('FSK 6', { metadata: { rating: 'NC17' } })
  t.equal(await says(mild), '18 rated')
  await isRated('FSK 6', null)
  t.equal(await says(mild), '6 rated', 'without the edit as before')
  await db.query(sql.unsafe`update media_items set access_age = 0, is_unrated = false where id = ${strong}`)
  t.equal(await says(strong), '18 rated', 'nobody else writes it')
  await db.query(sql.unsafe`delete from media_items where id = ${strong}`)
  t.equal(await says(extra), '- unrated', 'an extra without owner')

  const [tallies, access] = (await db.anyFirst(sql.unsafe`
    select sum(count)::int from item_tallies where kind = 'items'
    union all select sum(count)::int from access_tallies where kind = 'items'`)) as number[]
  t.equal(tallies, access, 'both counts are the same')
  t.strictSame(
    await db.anyFirst(sql.unsafe`
      select access_age || ' ' || is_unrated || ' ' || sum(count) from access_tallies where kind = 'items' and access_age is not null
      group by access_age, is_unrated having sum(count) <> 0 order by 1`),
    ['0 false 2', '6 false 1'],
  )
})
