import { acquireNamedLock, type Connection } from '../platform/database/index.ts'
import { collectionErrors } from './errors.ts'
import { countCollections, countCollectionItems } from './queries/quota.ts'

/** Maximum number of collections per account; collections that the server makes have no owner. */
const MAX_COLLECTIONS = 500
const MAX_ITEMS = 200_000

/**
 * Checks that an account may create one more collection. Locks the account until the transaction ends, so that its concurrent requests run
 * one after the other.
 * @throws AppError `too_many_collections`
 */
export async function checkCollectionQuota(connection: Connection, ownerId: string): Promise<void> {
  await acquireNamedLock(connection, `collections of ${ownerId}`)
  if ((await countCollections(connection, ownerId)) < MAX_COLLECTIONS) return
  const message = `An account has at most ${MAX_COLLECTIONS} collections.`
  throw collectionErrors.too_many_collections({ message, details: { limit: MAX_COLLECTIONS } })
}

/**
 * Checks the number of items in the collections of an account, after items were added; null: the collections of the server have no quota.
 * @throws AppError `too_many_collection_items`
 */
export async function checkItemQuota(connection: Connection, ownerId: string | null): Promise<void> {
  if (ownerId === null) return
  await acquireNamedLock(connection, `collections of ${ownerId}`)
  if ((await countCollectionItems(connection, { ownerId, atMost: MAX_ITEMS + 1 })) <= MAX_ITEMS) return
  const message = `The collections of an account hold at most ${MAX_ITEMS} items together.`
  throw collectionErrors.too_many_collection_items({ message, details: { limit: MAX_ITEMS } })
}
