import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { Collection } from '../collection.ts'

const CollectionRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  libraryId: z.string(),
  ownerId: z.string().nullable(),
  smartPlaylistId: z.string().nullable(),
  parentId: z.string().nullable(),
  boxSetId: z.string().nullable(),
  sortOrder: z.number(),
  itemCount: z.number(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

/** Ids of others are read from their own tables, because an account may see this collection and not its parent or its rules. */
const columns = sql.fragment`
  id, name, library_id, owner_id, (select s.id from smart_playlists s where s.id = collections.smart_playlist_id) as smart_playlist_id,
  (select p.id from collections p where p.id = collections.parent_id) as parent_id, box_set_id, sort_order,
  (select count(*) from collection_items m where m.collection_id = collections.id) as item_count, created_at, updated_at`

type Fields = Pick<Collection, 'name' | 'parentId' | 'smartPlaylistId' | 'sortOrder'>

/** Undefined stays as it is, also if the account does not see it. */
type Changes = Pick<Fields, 'name' | 'sortOrder'> & {
  parentId: string | null | undefined
  smartPlaylistId: string | null | undefined
}

export async function insertCollection(
  connection: Connection,
  row: Fields & { libraryId: string; ownerId: string; now: Date },
): Promise<Collection> {
  const now = sql.timestamp(row.now)
  return connection.one(sql.type(CollectionRow)`
    insert into collections (name, library_id, owner_id, smart_playlist_id, parent_id, sort_order, created_at, updated_at)
    values (${row.name}, ${row.libraryId}, ${row.ownerId}, ${row.smartPlaylistId}, ${row.parentId}, ${row.sortOrder}, ${now}, ${now})
    returning ${columns}`)
}

/** The collections ordered by position, then name. */
export async function selectCollections(
  connection: Connection,
  { libraryId, limit, offset }: { libraryId?: string | undefined; limit: number | null; offset: number },
): Promise<readonly Collection[]> {
  const isMeant = libraryId === undefined ? sql.fragment`true` : sql.fragment`library_id = ${libraryId}`
  return connection.any(sql.type(CollectionRow)`
    select ${columns} from collections where ${isMeant} order by sort_order, name, id
    limit ${limit} offset ${offset}`)
}

/** The collections whose names contain all words, by name. The words are no patterns. */
export async function selectCollectionsNamed(
  connection: Connection,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<readonly Collection[]> {
  const conditions = words.map((word) => sql.fragment`strpos(case_fold(name), case_fold(${word})) > 0`)
  return connection.any(sql.type(CollectionRow)`
    select ${columns} from collections where ${sql.join(conditions, sql.fragment` and `)} order by name, id limit ${limit}`)
}

export async function selectCollection(connection: Connection, id: string): Promise<Collection | undefined> {
  const row = await connection.maybeOne(sql.type(CollectionRow)`select ${columns} from collections where id = ${id}`)
  return row ?? undefined
}

/** Reads and locks one collection: other changes of the collection or its items wait until the transaction ends. */
export async function lockCollection(connection: Connection, id: string): Promise<Collection | undefined> {
  const row = await connection.maybeOne(sql.type(CollectionRow)`
    select ${columns} from collections where id = ${id} for update`)
  return row ?? undefined
}

/** Serializes the moves of collections of a library. Two concurrent moves could form a cycle. */
export async function lockCollectionTree(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    select pg_advisory_xact_lock(hashtextextended('phlix:collections:' || ${libraryId}::text, 0))`)
}

export async function updateCollection(
  connection: Connection,
  row: Changes & { id: string; now: Date },
): Promise<Collection> {
  const parentId = row.parentId === undefined ? sql.fragment`parent_id` : sql.fragment`${row.parentId}::uuid`
  const playlistId =
    row.smartPlaylistId === undefined ? sql.fragment`smart_playlist_id` : sql.fragment`${row.smartPlaylistId}::uuid`
  return connection.one(sql.type(CollectionRow)`
    update collections set name = ${row.name}, parent_id = ${parentId}, smart_playlist_id = ${playlistId},
      sort_order = ${row.sortOrder}, is_curated = true, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} returning ${columns}`)
}

/** Stores that a person has changed its items. */
export async function markCollectionEdited(
  connection: Connection,
  { id, isCurated, now }: { id: string; isCurated: boolean; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update collections set updated_at = ${sql.timestamp(now)}, is_curated = is_curated or ${isCurated} where id = ${id}`)
}

/** Deletes it and moves its child collections to the top level. A collection created by the server is not created again. */
export async function deleteCollectionRecord(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`
    with gone as (delete from collections where id = ${id} returning library_id, box_set_id)
    insert into dismissed_box_sets (library_id, box_set_id)
    select library_id, box_set_id from gone where box_set_id is not null on conflict do nothing`)
}

const NestingRow = z.strictObject({ levels: z.number(), isInside: z.boolean() })

/**
 * The result of putting a collection into a parent: the number of levels from the top to its deepest descendant, and whether the parent
 * is the collection itself or a descendant. Counts no further than `most` in each direction.
 */
export async function selectCollectionNesting(
  connection: Connection,
  { id, parentId, most }: { id: string | null; parentId: string; most: number },
): Promise<z.infer<typeof NestingRow>> {
  return connection.one(sql.type(NestingRow)`
    with recursive above (id, parent_id, level) as (
      select id, parent_id, 1 from collections where id = ${parentId}
      union all select c.id, c.parent_id, a.level + 1 from collections c join above a on c.id = a.parent_id where a.level <= ${most}),
    below (id, level) as (
      select ${id}::uuid, 1
      union all select c.id, b.level + 1 from collections c join below b on c.parent_id = b.id where b.level <= ${most})
    select (select max(level) from above) + (select max(level) from below) as levels,
      exists (select from above where id = ${id}::uuid) as is_inside`)
}
