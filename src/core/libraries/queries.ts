import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import {
  LIBRARY_TYPES,
  type Library,
  type LibraryType,
  type LibraryOptions,
  type LibraryRoot,
  type RootIdentity,
} from './library.ts'
import { effectiveAutoCollections } from './library-options.ts'

const LibraryRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(LIBRARY_TYPES),
  paths: z.array(z.string()),
  options: z.record(z.string(), z.unknown()),
  displayOrder: z.number(),
  itemCount: z.number(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

/** Counts playable items: the episodes of a series, and a book in several files as one item. */
const libraryColumns = sql.fragment`
  l.id, l.name, l.type, l.options, l.display_order, l.created_at, l.updated_at,
  array(select r.path from library_roots r where r.library_id = l.id order by r.position) as paths,
  coalesce((select sum(t.count)::int8 from item_tallies t where t.kind = 'counted' and t.library_id = l.id), 0) as item_count`

function toLibrary(row: z.infer<typeof LibraryRow>): Library {
  return { ...row, autoCollections: effectiveAutoCollections(row.options) }
}

/** Inserts a library without folders; it is last in lists until it is reordered. */
export async function insertLibrary(
  connection: Connection,
  row: { name: string; type: LibraryType; options: LibraryOptions; now: Date },
): Promise<Library> {
  const now = sql.timestamp(row.now)
  const inserted = await connection.one(sql.type(LibraryRow)`
    insert into libraries as l (name, type, options, created_at, updated_at)
    values (${row.name}, ${row.type}, ${JSON.stringify(row.options)}::jsonb, ${now}, ${now})
    returning ${libraryColumns}`)
  return toLibrary(inserted)
}

export async function insertLibraryRoots(
  connection: Connection,
  { libraryId, roots }: { libraryId: string; roots: readonly LibraryRoot[] },
): Promise<void> {
  const rows = roots.map(({ path, identity }, position) => [
    libraryId,
    position,
    path,
    identity?.device ?? null,
    identity?.inode ?? null,
  ])
  await connection.query(sql.unsafe`
    insert into library_roots (library_id, position, path, device, inode)
    select * from ${sql.unnest(rows, ['uuid', 'int4', 'text', 'text', 'text'])}`)
}

/** Serialises changes of library folders until the transaction ends. */
export async function lockLibraryFolders(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended('phlix:library-folders', 0))`)
}

const FolderRow = z.strictObject({
  libraryId: z.string(),
  name: z.string(),
  type: z.enum(LIBRARY_TYPES),
  path: z.string(),
})

/** The folders of all libraries, oldest library first. */
export async function selectAllLibraryFolders(connection: Connection): Promise<readonly z.infer<typeof FolderRow>[]> {
  return connection.any(sql.type(FolderRow)`
    select l.id as library_id, l.name, l.type, r.path
    from library_roots r join libraries l on l.id = r.library_id order by l.created_at, l.id, r.position`)
}

/** Replaces the folders of a library, in this order. A folder that remains keeps its stored identity. */
export async function replaceLibraryRoots(
  connection: Connection,
  { libraryId, paths }: { libraryId: string; paths: readonly string[] },
): Promise<void> {
  const identities = new Map(
    (await selectLibraryRoots(connection, libraryId)).map(({ path, identity }) => [path, identity]),
  )
  await connection.query(sql.unsafe`delete from library_roots where library_id = ${libraryId}`)
  const roots = paths.map((path) => ({ path, identity: identities.get(path) ?? null }))
  await insertLibraryRoots(connection, { libraryId, roots })
}

/** Locks the row until the end of the transaction, if it exists. */
export async function lockLibrary(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`select 1 from libraries where id = ${id} for update`)
}

export async function updateLibraryRow(
  connection: Connection,
  row: Pick<Library, 'id' | 'name' | 'options' | 'displayOrder'> & { now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update libraries set name = ${row.name}, options = ${JSON.stringify(row.options)}::jsonb,
      display_order = ${row.displayOrder}, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id}`)
}

/** Deletes a library with its folders, jobs and remaining items; false when it was already deleted. */
export async function deleteLibraryRow(connection: Connection, id: string): Promise<boolean> {
  const result = await connection.query(sql.unsafe`delete from libraries where id = ${id}`)
  return result.rowCount === 1
}

export async function selectLibraries(connection: Connection): Promise<Library[]> {
  const rows = await connection.any(sql.type(LibraryRow)`
    select ${libraryColumns} from libraries l order by l.display_order, l.name, l.id`)
  return rows.map(toLibrary)
}

export async function selectLibrary(connection: Connection, id: string): Promise<Library | undefined> {
  const row = await connection.maybeOne(sql.type(LibraryRow)`
    select ${libraryColumns} from libraries l where l.id = ${id}`)
  return row === null ? undefined : toLibrary(row)
}

const PathsRow = z.strictObject({ id: z.string(), paths: z.array(z.string()) })

/** The folders of libraries, by library id. */
export async function selectLibraryPaths(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await connection.any(sql.type(PathsRow)`
    select l.id, array(select r.path from library_roots r where r.library_id = l.id order by r.position) as paths
    from libraries l where l.id = any (${sql.array([...ids], 'uuid')})`)
  return new Map(rows.map(({ id, paths }) => [id, paths]))
}

const RootRow = z.strictObject({ path: z.string(), device: z.string().nullable(), inode: z.string().nullable() })

export async function selectLibraryRoots(connection: Connection, libraryId: string): Promise<LibraryRoot[]> {
  const rows = await connection.any(sql.type(RootRow)`
    select path, device, inode from library_roots where library_id = ${libraryId} order by position`)
  return rows.map(({ path, device, inode }) => ({
    path,
    identity: device === null || inode === null ? null : { device, inode },
  }))
}

export async function updateRootIdentity(
  connection: Connection,
  { libraryId, path, identity }: { libraryId: string; path: string; identity: RootIdentity },
): Promise<void> {
  await connection.query(sql.unsafe`
    update library_roots set device = ${identity.device}, inode = ${identity.inode}
    where library_id = ${libraryId} and path = ${path}
      and (device, inode) is distinct from (${identity.device}, ${identity.inode})`)
}
