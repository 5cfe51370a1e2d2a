import type { Account, SignedInAccount } from './account.ts'

/** Whether an account may save files, and let the guests of its links do so: if it is active, and an administrator and the profile in use permit it. */
export function mayDownload({
  status,
  mayDownload: isPermitted,
  profile,
}: Pick<Account, 'status' | 'mayDownload'> & { profile?: Pick<SignedInAccount['profile'], 'mayDownload'> }): boolean {
  return status === 'active' && isPermitted && profile?.mayDownload !== false
}
