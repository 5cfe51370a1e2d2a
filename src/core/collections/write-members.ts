import type { Connection } from '../platform/database/index.ts'
import { deleteItems, insertItems } from './queries/items.ts'

/**
 * So many are written by one statement. Each of them locks its item, wherever in a large catalogue that stands: fifty thousand at once
 * need longer than a statement has.
 */
const AT_A_TIME = 2500

type Members = { id: string; itemIds: readonly string[] }

/**
 * Adds items at the end of a collection, in this order; those that are in it already keep their place. In a transaction.
 * @returns how many were added
 */
export function addMembers(connection: Connection, { now, ...members }: Members & { now: Date }): Promise<number> {
  return inParts(members, (part) => insertItems(connection, { ...part, now }))
}

/**
 * Takes items out of a collection. In a transaction.
 * @returns how many were in it
 */
export function removeMembers(connection: Connection, members: Members): Promise<number> {
  return inParts(members, (part) => deleteItems(connection, part))
}

async function inParts({ id, itemIds }: Members, write: (part: Members) => Promise<number>): Promise<number> {
  let count = 0
  for (let from = 0; from < itemIds.length; from += AT_A_TIME) {
    count += await write({ id, itemIds: itemIds.slice(from, from + AT_A_TIME) })
  }
  return count
}
