import type { Account } from './account.ts'

/** Whether an account may save files, and let the guests of its links do so: every active account may. */
export function mayDownload({ status }: Pick<Account, 'status'>): boolean {
  return status === 'active'
}
