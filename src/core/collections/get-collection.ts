import { checkOwner, type Account } from '../accounts/index.ts'
import { checkPage, UNPAGED_LIST_BOUNDS, type PageRequest } from '../catalogue/index.ts'
import { getLibrary } from '../libraries/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import type { Collection } from './collection.ts'
import { collectionErrors } from './errors.ts'
import { lockCollection, selectCollection, selectCollections } from './queries/collections.ts'

/** The account that requests a change. */
export type CollectionEditor = Pick<Account, 'id' | 'isAdmin'>

/** Collections, by position, then name: a page of at most 1,000, because clients request the whole list, or all without a page. */
export async function listCollections({ db }: { db: Connection }, page?: PageRequest): Promise<readonly Collection[]> {
  return selectCollections(db, pageOf(page))
}

/**
 * The collections of one library, in the same order.
 * @throws AppError `library_not_found`
 */
export async function listLibraryCollections(
  { db }: { db: Connection },
  libraryId: string,
  page?: PageRequest,
): Promise<readonly Collection[]> {
  const library = await getLibrary({ db }, libraryId)
  return selectCollections(db, { libraryId: library.id, ...pageOf(page) })
}

function pageOf(page: PageRequest | undefined): { limit: number | null; offset: number } {
  return page === undefined ? { limit: null, offset: 0 } : checkPage(page, UNPAGED_LIST_BOUNDS)
}

/** @throws AppError `collection_not_found`; for an id that is not a UUID without a query */
export async function getCollection({ db }: { db: Connection }, id: string): Promise<Collection> {
  const collection = isRowId(id) ? await selectCollection(db, id) : undefined
  if (collection === undefined) throw collectionErrors.collection_not_found()
  return collection
}

/**
 * A collection to change, locked until the transaction ends.
 * @throws AppError `collection_not_found`, `not_owner`
 */
export async function lockEditableCollection(connection: Connection, { id, by }: { id: string; by: CollectionEditor }) {
  const collection = isRowId(id) ? await lockCollection(connection, id) : undefined
  if (collection === undefined) throw collectionErrors.collection_not_found()
  checkOwner(collection, by, collectionErrors.not_owner)
  return collection
}
