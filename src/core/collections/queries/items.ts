import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, IdRow, type Connection } from '../../platform/database/index.ts'

/** Ids of a page of the items of a collection, in its order. Index collection_items_in_order. */
export async function selectCollectionItemIds(
  connection: Connection,
  { id, limit, offset }: { id: string; limit: number | null; offset: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    select media_item_id as id from collection_items where collection_id = ${id}
    order by sort_order, media_item_id limit ${limit} offset ${offset}`)
}

export async function countItemsOfCollection(connection: Connection, id: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from collection_items where collection_id = ${id}`)
}

const PlaceRow = z.strictObject({ id: z.string(), libraryId: z.string() })

/** The library of each of these items; they are locked against deletion until the transaction ends. */
export async function lockItems(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly z.infer<typeof PlaceRow>[]> {
  return connection.any(sql.type(PlaceRow)`
    select id, library_id from media_items where id = any (${sql.array([...ids], 'uuid')}) order by id for key share`)
}

/**
 * Adds items at the end, in this order; items already in it keep their position.
 * @returns the number of added items
 */
export async function insertItems(
  connection: Connection,
  { id, itemIds, now }: { id: string; itemIds: readonly string[]; now: Date },
): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    insert into collection_items (collection_id, media_item_id, sort_order, added_at)
    select ${id}::uuid, i.id, ${nextPlace(id)} + row_number() over (order by w.place), ${sql.timestamp(now)}
    from unnest(${sql.array([...itemIds], 'uuid')}) with ordinality as w (id, place)
    join media_items i on i.id = w.id
    where not exists (select from collection_items c where c.collection_id = ${id} and c.media_item_id = i.id)
    on conflict do nothing`)
  await connection.query(sql.unsafe`
    delete from collection_exclusions
    where collection_id = ${id} and media_item_id = any (${sql.array([...itemIds], 'uuid')})`)
  return rowCount
}

function nextPlace(id: string) {
  return sql.fragment`coalesce((select max(sort_order) from collection_items where collection_id = ${id}), 0)`
}

/** @returns the number of removed items */
export async function deleteItems(
  connection: Connection,
  { id, itemIds }: { id: string; itemIds: readonly string[] },
): Promise<number> {
  const { rowCount } = await connection.query(sql.unsafe`
    delete from collection_items
    where collection_id = ${id} and media_item_id = any (${sql.array([...itemIds], 'uuid')})`)
  return rowCount
}

/** Stores that an item was removed from a collection which the server fills. */
export async function insertItemExclusion(connection: Connection, key: { id: string; itemId: string }): Promise<void> {
  await connection.query(sql.unsafe`
    insert into collection_exclusions (collection_id, media_item_id) values (${key.id}, ${key.itemId}) on conflict do nothing`)
}

/** Puts items into this order; unnamed items follow in their previous order. */
export async function updateItemOrder(
  connection: Connection,
  { id, itemIds }: { id: string; itemIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    update collection_items c set sort_order = n.place
    from (
      select e.media_item_id,
        row_number() over (order by w.place nulls last, e.sort_order, e.media_item_id) as place
      from collection_items e
      left join unnest(${sql.array([...itemIds], 'uuid')}) with ordinality as w (id, place) on w.id = e.media_item_id
      where e.collection_id = ${id}) n
    where c.collection_id = ${id} and c.media_item_id = n.media_item_id and c.sort_order <> n.place`)
}

/** If several rows become one film, the first position is kept. Index collection_items_media_item_id. */
export async function moveRowsToVersions(
  connection: Connection,
  { libraryId, now }: { libraryId: string; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    with gone as (
      delete from collection_items e using collections c, media_items i
      where c.library_id = ${libraryId} and e.collection_id = c.id and i.id = e.media_item_id
        and i.role in ('version', 'part') and i.primary_id is not null
      returning e.collection_id, i.primary_id, e.sort_order, e.is_automatic, e.added_at),
    kept as (
      insert into collection_items (collection_id, media_item_id, sort_order, is_automatic, added_at)
      select distinct on (g.collection_id, g.primary_id) g.collection_id, g.primary_id, g.sort_order, g.is_automatic, g.added_at
      from gone g
      where not exists (
        select from collection_exclusions x where x.collection_id = g.collection_id and x.media_item_id = g.primary_id)
      order by g.collection_id, g.primary_id, g.sort_order
      on conflict (collection_id, media_item_id) do nothing)
    update collections set updated_at = ${sql.timestamp(now)} where id in (select collection_id from gone)`)
}

/** A collection that has both keeps the entry of the second. */
export async function transferEntries(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    with gone as (delete from collection_items where media_item_id = ${fromId} returning *)
    insert into collection_items (collection_id, media_item_id, sort_order, is_automatic, added_at)
    select g.collection_id, ${toId}, g.sort_order, g.is_automatic, g.added_at
    from gone g
    where not exists (
      select from collection_exclusions x where x.collection_id = g.collection_id and x.media_item_id = ${toId})
    on conflict (collection_id, media_item_id) do nothing`)
}
