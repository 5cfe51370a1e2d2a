import type { Connection } from '../platform/database/index.ts'
import { deleteItems, insertItems } from './queries/items.ts'

/**
 * Number of rows per statement. Each row locks its item, which can be anywhere in a large catalogue: fifty thousand at once exceed the
 * statement timeout.
 */
const BATCH_SIZE = 2500

type Members = { id: string; itemIds: readonly string[] }

/**
 * Adds items at the end of a collection, in this order; items already in it keep their position. In a transaction.
 * @returns the number of added items
 */
export function insertCollectionItems(
  connection: Connection,
  { now, ...members }: Members & { now: Date },
): Promise<number> {
  return inParts(members, (part) => insertItems(connection, { ...part, now }))
}

/**
 * Removes items from a collection. In a transaction.
 * @returns the number of removed items
 */
export function deleteCollectionItems(connection: Connection, members: Members): Promise<number> {
  return inParts(members, (part) => deleteItems(connection, part))
}

async function inParts({ id, itemIds }: Members, write: (part: Members) => Promise<number>): Promise<number> {
  let count = 0
  for (let from = 0; from < itemIds.length; from += BATCH_SIZE) {
    count += await write({ id, itemIds: itemIds.slice(from, from + BATCH_SIZE) })
  }
  return count
}
