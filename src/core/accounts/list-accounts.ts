import type { Database } from '../platform/database/index.ts'
import type { Account, AccountStatus } from './account.ts'
import { listAccountRows } from './queries/accounts.ts'

/** All accounts of the server, or those of a status, sorted by name. */
export async function listAccounts(
  { db }: { db: Database },
  { status }: { status?: AccountStatus | undefined } = {},
): Promise<readonly Account[]> {
  return listAccountRows(db, status)
}
