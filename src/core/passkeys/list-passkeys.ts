import type { Database } from '../platform/database/index.ts'
import type { Passkey } from './passkey.ts'
import { selectPasskeysOfAccount } from './queries.ts'

/** The passkeys of an account, oldest first. */
export async function listPasskeys({ db }: { db: Database }, { accountId }: { accountId: string }): Promise<Passkey[]> {
  return selectPasskeysOfAccount(db, accountId)
}
