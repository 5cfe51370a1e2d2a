import type { Database } from '../platform/database/index.ts'
import type { Passkey } from './passkey.ts'
import { listPasskeysOf } from './queries.ts'

/** The passkeys of an account, oldest first. */
export async function listPasskeys({ db }: { db: Database }, { accountId }: { accountId: string }): Promise<Passkey[]> {
  return listPasskeysOf(db, accountId)
}
