import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { EVERYTHING, openLimitedPool, type AccessRule } from '../../../src/core/access/index.ts'
import { TABLES, viewsStatement } from '../../../src/core/access/queries/visible-tables.ts'
import { KINDS, plant, plantHistory, plantSession, type Kind } from '../../support/access-canaries.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { testServices } from '../../support/services.ts'

const RULES: readonly AccessRule[] = [
  { ...EVERYTHING, libraryIds: [] },
  { ...EVERYTHING, maxAge: 12 },
  { ...EVERYTHING, libraryIds: [randomUUID(), randomUUID()], maxAge: 0, allowsUnrated: true },
  { ...EVERYTHING, blockedTags: ["o'ne", '$views$ \\ "two" é 😀'], allowedTags: [['{a,b}'], ['c', 'd']] },
]

void t.test('every table of the schema is listed: what is visible of it, or why it is read as a whole', async (t) => {
  const { db } = await testServices(t)
  const tables = await db.anyFirst(sql.unsafe`
    select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  t.strictSame(Object.keys(TABLES).toSorted(), tables.map(String).toSorted(), 'add a new table to visible-tables.ts')
})

void t.test('a view has the columns of its table, and nothing comes before it', async (t) => {
  const services = await testServices(t)
  for (const [index, rule] of RULES.entries()) {
    const pool = await openLimitedPool(services, { id: index + 1, rule })
    t.teardown(() => pool.end())
    const different = await pool.any(sql.unsafe`
      select v.relname::text as name
      from pg_class v join pg_class r on r.relname = v.relname and r.relnamespace = 'public'::regnamespace
      where v.relnamespace = pg_my_temp_schema() and v.relkind = 'v'
        and array(select a.attname::text from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped order by 1)
          <> array(select a.attname::text from pg_attribute a where a.attrelid = v.oid and a.attnum > 0 and a.attname <> 'xmin' order by 1)`)
    t.strictSame(different, [])
    const views = await pool.anyFirst(sql.unsafe`
      select relname::text from pg_class where relnamespace = pg_my_temp_schema() and relkind = 'v'`)
    t.ok(views.includes('media_items') && views.includes('user_items'), `${views.length} views`)
    for (const name of views) await pool.query(sql.unsafe`select * from ${sql.identifier([String(name)])} limit 1`)
  }
})

void t.test('no table shows a word of what is hidden', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const ownerId = await makeUser(db, 'owner')
  const accountId = await makeUser(db, 'viewer')
  const sessionId = await plantSession(db, accountId)
  const open: string[] = []
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { libraryId } = await plant(db, kind, { word: 'zqopen', rating: 'G', ownerId, day: 1 })
    open.push(libraryId)
    for (const planted of [
      await plant(db, kind, { word: 'zqhidden', rating: 'NC-17', ownerId, day: 2, libraryId }),
      await plant(db, kind, { word: 'zqhidden', rating: 'NC-17', ownerId, day: 3, shelfWord: 'zqshelf' }),
    ]) {
      await plantHistory(db, { profileId: accountId, sessionId, itemIds: [planted.itemId] })
    }
  }
  const pool = await openLimitedPool(services, {
    id: 1,
    rule: { ...EVERYTHING, libraryIds: open, maxAge: 12, allowsUnrated: true },
  })
  t.teardown(() => pool.end())
  const countIn = (connection: typeof db, name: string) =>
    connection.oneFirst(sql.unsafe`
      select count(*)::int from ${sql.identifier([name])} t
      where t::text ilike '%zqhidden%' or t::text ilike '%zqshelf%'`)
  const filled: string[] = []
  for (const name of Object.keys(TABLES)) {
    // Words of titles only narrow a search down.
    if (name === 'item_words') continue
    if ((await countIn(db, name)) !== 0) filled.push(name)
    t.equal(await countIn(pool, name), 0, name)
  }
  // Without its view, each of these would fail above.
  t.strictSame(filled.toSorted(), [
    'access_tallies',
    'collections',
    'item_sidecars',
    'item_tallies',
    'libraries',
    'library_roots',
    'media_items',
    'media_streams',
    'music_albums',
    'music_artists',
    'music_tracks',
    'photos',
    'smart_playlists',
    'theme_media',
  ])
  for (const name of [
    'user_items',
    'playback_states',
    'playback_records',
    'play_days',
    'transcode_jobs',
    'collection_items',
  ]) {
    const rows = (connection: typeof db) =>
      connection.oneFirst(sql.unsafe`select count(*)::int from ${sql.identifier([name])}`)
    t.ok(Number(await rows(pool)) < Number(await rows(db)), name)
  }
  await t.rejects(
    pool.query(sql.unsafe`
      insert into user_items (profile_id, media_item_id)
      select ${ownerId}, id from public.media_items i where not exists (select from media_items v where v.id = i.id) limit 1`),
    /check option/,
    'nothing is written for an item that is hidden',
  )
})

void t.test('a connection whose views cannot be made runs no statement', async (t) => {
  const services = await testServices(t)
  const pool = await openLimitedPool(services, { id: 1, rule: { ...EVERYTHING, maxAge: 12 } })
  t.teardown(() => pool.end())
  await services.db.query(sql.unsafe`alter table media_items rename column access_age to other`)
  for (let times = 0; times < 3; times += 1) {
    await t.rejects(pool.query(sql.unsafe`select 1`), 'not even one that needs no view')
  }
  await services.db.query(sql.unsafe`alter table media_items rename column other to access_age`)
  t.equal(await pool.oneFirst(sql.unsafe`select pg_my_temp_schema() > 0`), true, 'it works again')
})

void t.test('functions of triggers see the tables, whoever has caused them', async (t) => {
  const { db } = await testServices(t)
  const open = await db.anyFirst(sql.unsafe`
    select p.proname::text from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype
      and not exists (select from unnest(p.proconfig) setting where setting like 'search_path=public, pg_temp')`)
  t.strictSame(open, [], 'a new trigger function needs: set search_path = public, pg_temp')
})

void t.test('what is not an id or an age does not become a statement', (t) => {
  const rule = EVERYTHING
  for (const id of ["x'; drop table users; --", '', '{}', randomUUID().toUpperCase(), `${randomUUID()}'`]) {
    t.throws(() => viewsStatement({ id: 1, rule: { ...rule, libraryIds: [id] } }), RangeError, id)
  }
  for (const maxAge of [1.5, Number.NaN, Infinity, '12); drop table users; --' as never]) {
    t.throws(() => viewsStatement({ id: 1, rule: { ...rule, maxAge } }), RangeError)
  }
  t.end()
})
