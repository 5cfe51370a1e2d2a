import type { Account } from './account.ts'

/**
 * Only the owner and administrators may change it.
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
