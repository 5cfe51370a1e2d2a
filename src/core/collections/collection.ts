import { collectionErrors } from './errors.ts'

/** Items of one library that a person, a rule or a provider has grouped. */
export type Collection = {
  /** UUID. */
  id: string
  name: string
  libraryId: string
  /** The account that created it; null: the server, or a deleted account. */
  ownerId: string | null
  /** The smart playlist that fills it; null: filled by hand. */
  smartPlaylistId: string | null
  /** The parent collection; null: top level. */
  parentId: string | null
  /** The provider's id of the box set; null: not created by the server. */
  boxSetId: string | null
  /** Position among collections with the same parent. */
  sortOrder: number
  itemCount: number
  createdAt: Date
  updatedAt: Date
}

const MAX_INTEGER = 2_147_483_647

/**
 * Validates the position of a collection among its siblings.
 * @throws AppError `invalid_request`
 */
export function parseSortOrder(value: unknown): number {
  if (Number.isInteger(value) && Math.abs(value as number) <= MAX_INTEGER) return value as number
  throw invalidFieldError('sort_order', 'must be a whole number of 32 bits')
}

/** The error for an invalid field of a request. */
export function invalidFieldError(field: string, problem: string): Error {
  return collectionErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
}
