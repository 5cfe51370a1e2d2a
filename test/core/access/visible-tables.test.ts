import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { EVERYTHING, openLimitedPool, type AccessRule } from '../../../src/core/access/index.ts'
import { TABLES, viewsStatement } from '../../../src/core/access/queries/visible-tables.ts'
import { KINDS, plant, plantHistory, plantSession, type Kind } from '../../support/access-canaries.ts'
import { plantRowsBeside } from '../../support/access-matrix/rows-beside.ts'
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

/** Tables that name hidden things by their ids, and why nothing shows that. */
const NAMING_IDS: Readonly<Record<string, string>> = {
  item_tallies: 'every change is counted for all, with its library; caches compare it',
  shares: 'a link keeps the id that its account has given; titles and items are read with the items',
  open_plays: 'a report ends the play of its session, also if the item is hidden since',
}

void t.test('no table shows a row of what is hidden', async (t) => {
  const services = await testServices(t)
  const { db } = services
  const ownerId = await makeUser(db, 'owner')
  const accountId = await makeUser(db, 'viewer')
  const sessionId = await plantSession(db, accountId)
  const [open, names]: [string[], string[]] = [[], ['zqhidden', 'zqshelf']]
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { libraryId } = await plant(db, kind, { word: 'zqopen', rating: 'G', ownerId, day: 1 })
    open.push(libraryId)
    const beside = await plant(db, kind, { word: 'zqhidden', rating: 'NC-17', ownerId, day: 2, libraryId })
    const alone = await plant(db, kind, { word: 'zqhidden', rating: 'NC-17', ownerId, day: 3, shelfWord: 'zqshelf' })
    for (const planted of [beside, alone]) {
      await plantHistory(db, { profileId: accountId, sessionId, itemIds: [planted.itemId] })
      names.push(...Object.values({ ...planted, libraryId: alone.libraryId }))
    }
    await plantRowsBeside(db, { planted: alone, word: 'zqhidden', profileId: accountId })
  }
  const pool = await openLimitedPool(services, {
    id: 1,
    rule: { ...EVERYTHING, libraryIds: open, maxAge: 12, allowsUnrated: true },
  })
  t.teardown(() => pool.end())
  /** Rows with a word or an id of what is hidden. */
  const countIn = (connection: typeof db, name: string, wanted = names) =>
    connection.oneFirst(sql.unsafe`
      select count(*)::int from ${sql.identifier([name])} t
      where t::text ilike any (${sql.array(
        wanted.map((word) => `%${word}%`),
        'text',
      )})`)
  for (const [name, { kind }] of Object.entries(TABLES)) {
    // Words of titles only narrow a search down. What a request says of its title is tested below.
    if (name === 'item_words' || name === 'media_requests') continue
    const wanted = NAMING_IDS[name] === undefined ? names : names.slice(0, 2)
    t.equal(await countIn(pool, name, wanted), 0, name)
    // Without its view, each of these would fail.
    if (kind === 'visible')
      t.not(await countIn(db, name), 0, `${name} has a row of what is hidden: add one to rows-beside.ts`)
  }
  const arrivals = (connection: typeof db) =>
    connection.any(sql.unsafe`select distinct status, arrived_at is null as is_awaited from media_requests`)
  t.strictSame(await arrivals(db), [{ status: 'available', isAwaited: false }])
  t.strictSame(await arrivals(pool), [{ status: 'approved', isAwaited: true }])
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
