import type { Account } from '../accounts/index.ts'
import { getLibrary } from '../libraries/index.ts'
import { isId, type Connection } from '../platform/database/index.ts'
import { checkOwner, type Collection } from './collection.ts'
import { collectionErrors } from './errors.ts'
import { lockCollection, selectCollection, selectCollections } from './queries/collections.ts'

/** Who asks for a change. */
export type Changer = Pick<Account, 'id' | 'isAdmin'>

/** All collections, by where they stand, then name. */
export async function listCollections({ db }: { db: Connection }): Promise<readonly Collection[]> {
  return selectCollections(db, {})
}

/**
 * Those of one library.
 * @throws AppError `library_not_found`
 */
export async function listLibraryCollections(
  { db }: { db: Connection },
  libraryId: string,
): Promise<readonly Collection[]> {
  const library = await getLibrary({ db }, libraryId)
  return selectCollections(db, { libraryId: library.id })
}

/** @throws AppError `collection_not_found`; for an id that is no UUID without a query (decisions 3.3) */
export async function getCollection({ db }: { db: Connection }, id: string): Promise<Collection> {
  const collection = isId(id) ? await selectCollection(db, id) : undefined
  if (collection === undefined) throw collectionErrors.collection_not_found()
  return collection
}

/**
 * A collection that is about to be changed, held until the transaction ends.
 * @throws AppError `collection_not_found`, `not_owner`
 */
export async function takeCollection(connection: Connection, { id, by }: { id: string; by: Changer }) {
  const collection = isId(id) ? await lockCollection(connection, id) : undefined
  if (collection === undefined) throw collectionErrors.collection_not_found()
  checkOwner(collection, by)
  return collection
}
