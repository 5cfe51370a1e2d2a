import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'

/** The films of a library that belong to a set according to a provider: item, set, name of the set. Index media_items_of_box_sets. */
function membersOf(libraryId: string) {
  return sql.fragment`(
    select i.id, i.year, i.sort_key, i.metadata #>> '{collection,id}' as set_id, trim(i.metadata #>> '{collection,name}') as set_name
    from media_items i
    where i.library_id = ${libraryId} and i.type = 'movie' and i.role is null
      and jsonb_typeof(i.metadata -> 'collection') = 'object'
      and char_length(i.metadata #>> '{collection,id}') between 1 and 100
      and trim(i.metadata #>> '{collection,name}') <> '')`
}

/** Locks the films of sets against deletion until the transaction ends. */
export async function lockBoxSetFilms(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    select from media_items i
    where i.library_id = ${libraryId} and i.type = 'movie' and i.role is null
      and jsonb_typeof(i.metadata -> 'collection') = 'object' for key share`)
}

type BoxSetUpdate = { libraryId: string; now: Date }

/** Creates a collection for every set with two films or more that has none, unless a person has deleted it. */
export async function insertBoxSets(connection: Connection, { libraryId, now }: BoxSetUpdate): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into collections (name, library_id, box_set_id, sort_order, created_at, updated_at)
    select left(min(m.set_name), 128), ${libraryId}::uuid, m.set_id, 0, ${sql.timestamp(now)}, ${sql.timestamp(now)}
    from ${membersOf(libraryId)} m
    where not exists (select from dismissed_box_sets d where d.library_id = ${libraryId} and d.box_set_id = m.set_id)
      and not exists (select from collections c where c.library_id = ${libraryId} and c.box_set_id = m.set_id)
    group by m.set_id having count(*) >= 2`)
  return rowCount
}

/** Adds the films of each set at the end of its collection, by year and name, without those that a curator removed. */
export async function insertBoxSetItems(connection: Connection, { libraryId, now }: BoxSetUpdate): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    with added as (
      insert into collection_items (collection_id, media_item_id, sort_order, is_automatic, added_at)
      select c.id, m.id,
        coalesce((select max(sort_order) from collection_items where collection_id = c.id), 0)
          + row_number() over (partition by c.id order by m.year nulls last, m.sort_key, m.id),
        true, ${sql.timestamp(now)}
      from ${membersOf(libraryId)} m join collections c on c.library_id = ${libraryId} and c.box_set_id = m.set_id
      where not exists (select from collection_items e where e.collection_id = c.id and e.media_item_id = m.id)
        and not exists (select from collection_exclusions e where e.collection_id = c.id and e.media_item_id = m.id)
      on conflict do nothing
      returning collection_id)
    update collections set updated_at = ${sql.timestamp(now)} where id in (select collection_id from added)`)
  return rowCount
}

/**
 * Removes films that the server added and that belong to no set or another set now. A film whose metadata was cleared has no set
 * information: it stays, so that clearing and matching again keeps the order of the curator.
 */
export async function deleteBoxSetItems(connection: Connection, { libraryId, now }: BoxSetUpdate): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    with gone as (
      delete from collection_items e using collections c, media_items i
      where c.library_id = ${libraryId} and c.box_set_id is not null and e.collection_id = c.id and e.is_automatic
        and i.id = e.media_item_id and i.metadata_refreshed_at is not null
        and (i.metadata #>> '{collection,id}') is distinct from c.box_set_id
      returning e.collection_id)
    update collections set updated_at = ${sql.timestamp(now)} where id in (select collection_id from gone)`)
  return rowCount
}

/** Deletes collections of fewer than two films that no person has changed. */
export async function deleteEmptyBoxSets(connection: Connection, libraryId: string): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from collections c
    where c.library_id = ${libraryId} and c.box_set_id is not null and not c.is_curated
      and (select count(*) from collection_items e where e.collection_id = c.id) < 2
      and not exists (select from collections i where i.parent_id = c.id)`)
  return rowCount
}
