import { isRowId, type Connection } from '../platform/database/index.ts'
import type { Collection } from './collection.ts'
import { collectionErrors } from './errors.ts'
import { lockCollectionTree, selectCollection, selectCollectionNesting } from './queries/collections.ts'

/** Limit of nesting. It keeps the tree usable and limits recursive queries. */
const MAX_LEVELS = 32

type RequestedPosition = {
  /** Null for a new collection. */
  id: string | null
  libraryId: string
  /** The untrusted value of a request. */
  parentId: unknown
}

/**
 * Validates the parent of a collection and prevents cycles. To be called within a transaction; other moves in the library wait for its end.
 * @returns the parent; null: top level
 * @throws AppError `invalid_parent`
 */
export async function checkCollectionParent(
  connection: Connection,
  { id, libraryId, parentId }: RequestedPosition,
): Promise<Collection['parentId']> {
  if (parentId === undefined || parentId === null) return null
  if (!isRowId(parentId)) throw invalidParent('is no collection')
  await lockCollectionTree(connection, libraryId)
  const parent = await selectCollection(connection, parentId)
  if (parent === undefined) throw invalidParent('is no collection')
  if (parent.libraryId !== libraryId) throw invalidParent('is of another library')
  const { levels, isInside } = await selectCollectionNesting(connection, { id, parentId, most: MAX_LEVELS })
  if (isInside) throw invalidParent('is the collection itself or inside it')
  if (levels > MAX_LEVELS) throw invalidParent(`would make more than ${MAX_LEVELS} levels`)
  return parent.id
}

function invalidParent(problem: string): Error {
  return collectionErrors.invalid_parent({ message: `parent_id ${problem}`, details: { field: 'parent_id' } })
}
