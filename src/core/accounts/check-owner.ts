import type { Account } from './account.ts'

/**
 * Checks that an account may change an object: only its owner and administrators may.
 * @param owned `ownerId` is null when the server made it, or the owner was deleted
 * @throws the error of `notOwner`
 */
export function checkOwner(
  { ownerId }: { ownerId: string | null },
  { id, isAdmin }: Pick<Account, 'id' | 'isAdmin'>,
  notOwner: () => Error,
): void {
  if (!isAdmin && ownerId !== id) throw notOwner()
}
