import type { Account } from '../accounts/index.ts'
import { collectionErrors } from './errors.ts'

/** Items of one library that somebody, a rule or a provider has put together (document 2, Collection). */
export type Collection = {
  /** UUID. */
  id: string
  name: string
  libraryId: string
  /** Who made it; null: the server, or an account that is gone. */
  ownerId: string | null
  /** What a smart one is refreshed by; null: filled by hand. */
  smartPlaylistId: string | null
  /** The collection that it stands in; null: at the top. */
  parentId: string | null
  /** The provider's id of the films that belong together; null: not made by the server. */
  boxSetId: string | null
  /** Among those that stand in the same place. */
  sortOrder: number
  itemCount: number
  createdAt: Date
  updatedAt: Date
}

const MAX_INTEGER = 2_147_483_647

/**
 * Reads where a collection stands among others.
 * @throws AppError `invalid_request`
 */
export function readSortOrder(value: unknown): number {
  if (Number.isInteger(value) && Math.abs(value as number) <= MAX_INTEGER) return value as number
  throw invalidField('sort_order', 'must be a whole number of 32 bits')
}

/**
 * The maker and administrators may change it (decisions 3.7).
 * @throws AppError `not_owner`
 */
export function checkOwner({ ownerId }: Collection, { id, isAdmin }: Pick<Account, 'id' | 'isAdmin'>): void {
  if (!isAdmin && ownerId !== id) throw collectionErrors.not_owner()
}

/** What is wrong with a field of a request. */
export function invalidField(field: string, problem: string): Error {
  return collectionErrors.invalid_request({ message: `${field} ${problem}`, details: { field } })
}
