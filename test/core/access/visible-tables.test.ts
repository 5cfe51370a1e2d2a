import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { openLimitedPool, type AccessRule } from '../../../src/core/access/index.ts'
import { TABLES, viewsStatement } from '../../../src/core/access/queries/visible-tables.ts'
import { testServices } from '../../support/services.ts'

const RULES: readonly AccessRule[] = [
  { libraryIds: [], maxAge: null, allowsUnrated: false },
  { libraryIds: null, maxAge: 12, allowsUnrated: false },
  { libraryIds: [randomUUID(), randomUUID()], maxAge: 0, allowsUnrated: true },
]

void t.test('every table of the schema is listed: what is visible of it, or why it is read as a whole', async (t) => {
  const { db } = await testServices(t)
  const tables = await db.anyFirst(sql.unsafe`
    select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  t.strictSame(Object.keys(TABLES).toSorted(), [...tables].toSorted(), 'add a new table to visible-tables.ts')
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

void t.test('a connection whose views cannot be made runs no statement', async (t) => {
  const services = await testServices(t)
  const pool = await openLimitedPool(services, { id: 1, rule: { libraryIds: null, maxAge: 12, allowsUnrated: false } })
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
  const rule = { libraryIds: null, maxAge: null, allowsUnrated: false }
  for (const id of ["x'; drop table users; --", '', '{}', randomUUID().toUpperCase(), `${randomUUID()}'`]) {
    t.throws(() => viewsStatement({ id: 1, rule: { ...rule, libraryIds: [id] } }), RangeError, id)
  }
  for (const maxAge of [1.5, Number.NaN, Infinity, '12); drop table users; --' as never]) {
    t.throws(() => viewsStatement({ id: 1, rule: { ...rule, maxAge } }), RangeError)
  }
  t.end()
})
