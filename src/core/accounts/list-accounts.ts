import type { Database } from '../platform/database/index.ts'
import type { Account } from './account.ts'
import { listAccountRows } from './queries.ts'

/** Every account of the server, disabled ones too, in the order of their names. */
export async function listAccounts({ db }: { db: Database }): Promise<readonly Account[]> {
  return listAccountRows(db)
}
