import { sql } from 'slonik'
import { CountRow, type Connection } from '../../platform/database/index.ts'

/** The number of collections of an account. Index collections_owner_id. */
export async function countCollections(connection: Connection, ownerId: string): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`select count(*) as count from collections where owner_id = ${ownerId}`)
}

/** The number of items in the collections of an account; counts no further than `atMost`. */
export async function countCollectionItems(
  connection: Connection,
  { ownerId, atMost }: { ownerId: string; atMost: number },
): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from (
      select from collection_items i join collections c on c.id = i.collection_id
      where c.owner_id = ${ownerId} limit ${atMost}) counted`)
}
