import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { sql } from 'slonik'
import t from 'tap'
import { deleteUnwantedDownload } from '../src/core/downloads/queries.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import {
  checkMigrations,
  migrate,
  violatedUniqueConstraint,
  type Database,
} from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { testDatabase } from './support/database.ts'

const FOLDER = join(import.meta.dirname, '..', 'migrations')
const sqlFilesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
const files = sqlFilesOf(FOLDER)
const HUB_FOLDER = join(FOLDER, 'hub')

void t.test('every migration says why it exists', (t) => {
  t.ok(files.length >= 5)
  for (const name of files) t.match(readFileSync(join(FOLDER, name), 'utf8'), /^-- why: [a-z]/, name)
  for (const name of sqlFilesOf(HUB_FOLDER))
    t.match(readFileSync(join(HUB_FOLDER, name), 'utf8'), /^-- why: [a-z]/, name)
  t.end()
})

void t.test('all migrations apply to an empty database, and a second run finds nothing to do', async (t) => {
  const { connectionUri } = await testDatabase(t)
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
  const nothing = { schemaVersion: files.length, applied: [], pending: [] }
  t.strictSame(await migrate({ connectionUri, log }), nothing)
  t.strictSame(await checkMigrations({ connectionUri, log }), nothing)
})

void t.test('every table has a primary key, and every foreign key an index to follow it by', async (t) => {
  const { pool: db } = await testDatabase(t)
  t.strictSame(
    await db.anyFirst(sql.unsafe`
      select relname from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`),
    [],
  )
  t.strictSame(
    await db.anyFirst(sql.unsafe`
      select k.conname from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and k.confdeltype = 'c'
        and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])`),
    [],
    'removing a row must not read whole tables',
  )
})

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'allowed'
  } catch (error) {
    return violatedUniqueConstraint(error) ?? (error as { constraint?: string }).constraint ?? String(error)
  }
}

async function setup(db: Database): Promise<{ library: string; user: string }> {
  const library = await db.oneFirst(sql.unsafe`
    insert into libraries (name, type, created_at, updated_at) values ('a', 'movie', now(), now()) returning id`)
  const user = await db.oneFirst(sql.unsafe`
    insert into users (username, email, password_hash, created_at, updated_at)
    values ('Ada', 'ada@example.org', '$argon2id$x', now(), now()) returning id`)
  return { library: String(library), user: String(user) }
}

void t.test('the database itself refuses what no program may write', async (t) => {
  const { pool: db } = await testDatabase(t)
  const { library, user } = await setup(db)
  const account = (name: string, email: string, hash = '$argon2id$x') =>
    refusalOf(
      db.query(sql.unsafe`insert into users (username, email, password_hash, created_at, updated_at)
        values (${name}, ${email}, ${hash}, now(), now())`),
    )
  t.equal(await account('ADA', 'new@example.org'), 'users_username_key')
  t.equal(await account('new', 'ADA@example.org'), 'users_email_key')
  t.equal(await account('ab', 'new@example.org'), 'users_username_length')
  t.equal(await account('new', 'new@example.org', 'plain text'), 'users_password_hash_form')

  const item = (path: string | null, hash: string) =>
    refusalOf(
      db.query(sql.unsafe`
        insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns,
          added_at, created_at, updated_at)
        values (${library}, 'movie', 'a', 'a', ${path}, decode(${hash}, 'hex'), decode(${hash}, 'hex'), 1, 1, now(), now(), now())`),
    )
  t.equal(await item('/a', 'aa'.repeat(32)), 'allowed')
  t.equal(await item('/b', 'aa'.repeat(32)), 'media_items_path_key')
  t.equal(await item('/b', 'bb'), 'media_items_path_hashed')
  t.equal(await item(null, 'cc'.repeat(32)), 'media_items_path_hashed')

  const job = (status: string, attempts: number) =>
    refusalOf(
      db.query(sql.unsafe`
        insert into scan_jobs (library_id, type, status, attempts, queued_at, started_at, requested_by)
        values (${library}, 'scan', ${status}, ${attempts}, now(), now(), ${user})`),
    )
  t.equal(await job('queued', 0), 'allowed')
  t.equal(await job('queued', 0), 'scan_jobs_one_waiting')
  t.equal(await job('queued', 1), 'allowed', 'one that was taken up again waits beside a fresh one')
  t.equal(await job('running', 1), 'allowed')
  t.equal(await job('running', 1), 'scan_jobs_one_running')
  t.equal(await job('completed', 1), 'scan_jobs_ended_with_time')
})

void t.test('a library takes everything below it with it, an account leaves its jobs behind', async (t) => {
  const { pool: db } = await testDatabase(t)
  const { library, user } = await setup(db)
  await db.query(sql.unsafe`insert into library_roots (library_id, position, path) values (${library}, 0, '/films')`)
  await db.query(sql.unsafe`
    with item as (
      insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
      values (${library}, 'series', 'a', 'a', now(), now(), now()) returning id)
    insert into media_streams (media_item_id, stream_index, stream_type) select id, 0, 'video' from item`)
  await db.query(sql.unsafe`
    insert into scan_jobs (library_id, type, queued_at, requested_by) values (${library}, 'scan', now(), ${user})`)
  await db.query(sql.unsafe`delete from users`)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from scan_jobs where requested_by is null`), 1)
  await db.query(sql.unsafe`delete from libraries`)
  for (const table of ['library_roots', 'media_items', 'media_streams', 'scan_jobs']) {
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`), 0, table)
  }
})

void t.test('names are found and ordered without accents and case, whatever form they were typed in', async (t) => {
  const { pool: db } = await testDatabase(t)
  for (const [text, folded] of [
    ['Amélie', 'amelie'],
    ['Ame\u0301lie', 'amelie'],
    ['Straße ÆON Łódź', 'strasse aeon lodz'],
    ['君の名は', '君の名は'],
  ] as const) {
    t.equal(await db.oneFirst(sql.unsafe`select search_fold(${text})`), folded)
  }
})

void t.test('a series that was marked as a whole hands its mark to the episodes that were there', async (t) => {
  const { pool: db, connectionUri } = await testDatabase(t)
  const { library, user } = await setup(db)
  const item = async (name: string, type: string, parent: string | null, addedAt = '2026-01-01') =>
    String(
      await db.oneFirst(sql.unsafe`
        insert into media_items (library_id, parent_id, type, name, sort_title, added_at, created_at, updated_at)
        values (${library}, ${parent}, ${type}, ${name}, ${name}, ${addedAt}::date, now(), now()) returning id`),
    )
  const series = await item('series', 'series', null)
  const season = await item('season', 'season', series)
  await item('old', 'episode', season)
  await item('later', 'episode', season, '2026-03-01')
  await item('empty', 'series', null)
  await item('other', 'episode', null)
  await db.query(sql.unsafe`
    insert into user_items (profile_id, media_item_id, rating, watched_at)
    select ${user}, id, 7, '2026-02-01' from media_items where type = 'series'`)
  const file = files.find((name) => name.endsWith('_watched_series.sql')) ?? ''
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  // The column had this name when the migration was written.
  await client.query('alter table user_items rename column profile_id to user_id')
  await client.query(readFileSync(join(FOLDER, file), 'utf8'))
  await client.query('alter table user_items rename column user_id to profile_id')
  await client.end()
  t.strictSame(
    await db.anyFirst(sql.unsafe`
      select i.name from user_items u join media_items i on i.id = u.media_item_id where u.watched_at is not null order by 1`),
    ['empty', 'old'],
  )
  t.equal(await db.oneFirst(sql.unsafe`select rating from user_items where media_item_id = ${series}`), 7)
})

/** Columns, indexes, constraints, functions and triggers. */
async function schemaOf(db: Database): Promise<readonly unknown[]> {
  return db.anyFirst(sql.unsafe`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`)
}

void t.test(
  'a database of any earlier schema becomes the same as a new one, and keeps its rows (F-34, F-35)',
  async (t) => {
    const { pool: fresh } = await testDatabase(t)
    const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
    const { pool: db, connectionUri } = await testDatabase(t)
    await db.query(sql.unsafe`drop schema public cascade`)
    await db.query(sql.unsafe`create schema public`)
    const directory = t.testdir({})
    const item = (name: string) => sql.unsafe`
      insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
      select id, 'movie', ${name}, ${name}, now(), now(), now() from libraries limit 1`
    const names: string[] = []
    for (const [index, name] of files.entries()) {
      copyFileSync(join(FOLDER, name), join(directory, name))
      // Each of those that had data to change ran with data in the tables.
      t.match(await migrate({ connectionUri, log, directory }), { applied: [name], schemaVersion: index + 1 }, name)
      if (index === 2) await setup(db)
      if (index < 2) continue
      await db.query(item(name))
      names.push(name)
      if (!name.endsWith('_downloads.sql')) continue
      await db.query(sql.unsafe`
        insert into downloads (media_item_id, quality, status, percent, source_stamp, created_at, used_at)
        select id, '360p', 'waiting', 0, '', now(), now() from media_items limit 1`)
    }
    t.strictSame(await db.anyFirst(sql.unsafe`select name from media_items order by name`), names.toSorted())
    t.strictSame(await db.anyFirst(sql.unsafe`select username from users`), ['Ada'])
    const waiting = String(await db.oneFirst(sql.unsafe`select id from downloads`))
    t.notOk(await deleteUnwantedDownload(db, waiting), 'what clients wait for is still made')
    t.strictSame(await schemaOf(db), await schemaOf(fresh))
  },
)
