import type { Database } from '../platform/database/index.ts'
import type { Account, AccountStatus } from './account.ts'
import { listAccountRows } from './queries/accounts.ts'

/** Every account of the server, whatever its status unless one is asked for, in the order of their names. */
export async function listAccounts(
  { db }: { db: Database },
  { status }: { status?: AccountStatus | undefined } = {},
): Promise<readonly Account[]> {
  return listAccountRows(db, status)
}
