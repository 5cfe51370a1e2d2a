import type { Client } from 'pg'
import { listCreatedTables } from '../platform/database/index.ts'

/** Makes the text of values independent of the settings of the server and the role, so that equal rows have equal text. */
export const SESSION_SETTINGS = `set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8'; set statement_timeout = 0;
  set search_path = public`

/** The list of applied migrations. */
const LEDGER = 'schema_migrations'

/** Tables that have rows even in a database without content. The tallies are counts of items, the ages come with the schema. */
const NEVER_EMPTY = new Set([LEDGER, 'item_tallies', 'access_tallies', 'rating_ages'])

export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only'

/** A table of the product and the expressions that order its rows. */
export type StoredTable = {
  name: string
  /** The columns except generated ones, which COPY cannot write. */
  columns: string[]
  /** SQL text. The primary key, with the collation "C" for text; the whole row for a table without one. */
  orderBy: string
}

/**
 * The job queue has a schema of its own, which is not part of a backup: it carries only ids. Tables of extensions (deptype e) come with
 * them.
 */
const TABLES = `select c.relname as name,
  array(select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
  array(select quote_ident(a.attname) || case when t.typcollation <> 0 then ' collate "C"' else '' end
    from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    join pg_type t on t.oid = a.atttypid
    where i.indrelid = c.oid and i.indisprimary order by k.place) as key
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  order by c.relname collate "C"`

/** The names that an archive can have. Those of Phlix are always such names. */
const STORABLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** The tables of the schema `public`, by name, without the tables of extensions. */
export async function selectTables(client: Client): Promise<StoredTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; key: string[] }>(TABLES)
  const storable = rows.filter(({ name, columns }) => STORABLE_NAME.test(name) && columns.length > 0)
  return storable.map(({ name, columns, key }) => ({
    name,
    columns,
    orderBy: key.length === 0 ? `${quoted(name)}::text collate "C"` : key.join(', '),
  }))
}

/** A statement that writes all rows as text, in order. */
export function copyOut({ name, columns, orderBy }: StoredTable): string {
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by ${orderBy}) to stdout`
}

/** A statement that reads rows as text. */
export function copyIn({ name, columns }: Pick<StoredTable, 'name' | 'columns'>): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`
}

export async function selectServerVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? ''
}

/** Size of the database on the disk. */
export async function selectDatabaseBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  return Number(rows[0]?.bytes ?? 0)
}

/** Number of applied migrations; 0 for an empty database. */
export async function selectSchemaVersion(client: Client): Promise<number> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as found`,
  )
  if (found[0]?.found !== true) return 0
  const { rows } = await client.query<{ version: number | null }>(
    'select max(version) as version from schema_migrations',
  )
  return rows[0]?.version ?? 0
}

/** When the database was created; undefined for an empty database. */
export async function selectDatabaseCreatedAt(client: Client): Promise<Date | undefined> {
  const { rows } = await client.query<{ made_at: Date | null }>(
    'select min(applied_at) as made_at from schema_migrations',
  )
  return rows[0]?.made_at ?? undefined
}

/** Whether there is anything to lose: an account or a library. */
export async function hasContent(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ tables: string[] }>(
    `select array(select c.relname::text from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind = 'r' and c.relname in ('users', 'libraries')) as tables`,
  )
  for (const name of rows[0]?.tables ?? []) {
    const { rows: some } = await client.query(`select 1 from ${quoted(name)} limit 1`)
    if (some.length > 0) return true
  }
  return false
}

type Relation = { schema: string; name: string; kind: string; isOfExtension: boolean }

/** All relations that are not the server's own: tables, views, foreign tables, and sequences that belong to no column. */
async function selectRelations(client: Client): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(
    `select n.nspname as schema, c.relname as name, c.relkind::text as kind,
       exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
         as "isOfExtension"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not (c.relkind = 'S' and exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))`,
  )
  return rows
}

/** Whether a database has relations, whose ever they are. Those of extensions do not count. */
export async function hasRelations(client: Client): Promise<boolean> {
  return (await selectRelations(client)).some(({ isOfExtension }) => !isOfExtension)
}

/** Whether a database can be deleted without losing data: it has no relations, or only the tables of Phlix without rows. */
export async function isUnused(client: Client): Promise<boolean> {
  const relations = await selectRelations(client)
  const known = new Set(listCreatedTables())
  if (relations.some(({ schema, name, kind }) => schema !== 'public' || kind !== 'r' || !known.has(name))) return false
  if (relations.length > 0 && !relations.some(({ name }) => name === LEDGER)) return false
  for (const { name } of relations) {
    if (NEVER_EMPTY.has(name)) continue
    const { rows } = await client.query(`select 1 from public.${quoted(name)} limit 1`)
    if (rows.length > 0) return false
  }
  return true
}

type Definition = { table: string; name: string; definition: string }

/** Foreign keys and the indexes that belong to no constraint, with the statements that create them again. */
export async function selectDependents(client: Client): Promise<{ keys: Definition[]; indexes: Definition[] }> {
  const keys = await client.query<Definition>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  )
  const indexes = await client.query<Definition>(
    `select i.indrelid::regclass::text as table, c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by c.relname`,
  )
  return { keys: keys.rows, indexes: indexes.rows }
}

type Dependents = Awaited<ReturnType<typeof selectDependents>>

/** Empties the tables and removes what slows loading down or depends on its order. */
export async function prepareForLoad(
  client: Client,
  { tables, dependents }: { tables: readonly StoredTable[]; dependents: Dependents },
): Promise<void> {
  for (const { table, name } of dependents.keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  for (const { name } of dependents.indexes) await client.query(`drop index ${quoted(name)}`)
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
}

/** Creates keys and indexes again, and continues the numbers of identity columns after the largest one. */
export async function finishLoad(
  client: Client,
  { tables, dependents }: { tables: readonly StoredTable[]; dependents: Dependents },
): Promise<void> {
  await client.query(`set local maintenance_work_mem = '64MB'`)
  for (const { definition } of dependents.indexes) await client.query(definition)
  for (const { table, name, definition } of dependents.keys) {
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
  }
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column)}), 0) + 1, false) from ${quoted(table)}`,
      [quoted(table), column],
    )
  }
}

export function createDatabaseStatement(name: string): string {
  return `create database ${quoted(name)} template template0 encoding 'UTF8'`
}

/** The names of databases with a prefix that no session uses. */
export async function selectUnusedDatabases(client: Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d where starts_with(datname, $1)
     and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [prefix],
  )
  return rows.map(({ name }) => name)
}

/** Drops a database that this program has created, also while it is in use. */
export async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${quoted(name)} with (force)`)
}

/** @throws the error of the server if a session uses the database */
export async function dropIdleDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database ${quoted(name)}`)
}

/** Renames databases in one transaction: all or none. No session may be connected to them. */
export async function renameDatabases(client: Client, renames: readonly (readonly [string, string])[]): Promise<void> {
  await client.query('begin')
  try {
    for (const [from, to] of renames) await client.query(`alter database ${quoted(from)} rename to ${quoted(to)}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
