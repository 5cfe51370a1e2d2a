import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import type { Account } from '../account.ts'
import { accountColumns, AccountRow } from './accounts.ts'

/** The configured rescue account, even if it is no longer an active administrator. */
export async function selectRescueAccount(connection: Connection): Promise<Account | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    select ${accountColumns} from rescue_accounts r join users on users.id = r.user_id`)
  return row ?? undefined
}

/** Replaces the named account. */
export async function upsertRescueAccount(connection: Connection, accountId: string): Promise<void> {
  await connection.query(sql.unsafe`
    insert into rescue_accounts (user_id) values (${accountId})
    on conflict (is_only) do update set user_id = excluded.user_id`)
}

export async function deleteRescueAccount(connection: Connection): Promise<void> {
  await connection.query(sql.unsafe`delete from rescue_accounts`)
}
