import type { Account, SignedInAccount } from './account.ts'

/** Whether an account may save files, and let the guests of its links do so: every active one may, except in a profile without downloads. */
export function mayDownload({
  status,
  profile,
}: Pick<Account, 'status'> & { profile?: Pick<SignedInAccount['profile'], 'mayDownload'> }): boolean {
  return status === 'active' && profile?.mayDownload !== false
}
