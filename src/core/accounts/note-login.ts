import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { refusalOf } from './log-in.ts'
import { markLogin } from './queries/accounts.ts'

/**
 * Lets an account in that has proved who it is by other means than its password (a passkey), and notes the login.
 * @throws AppError `account_disabled`, `account_pending`
 */
export async function noteLogin({ db, clock }: { db: Database; clock: Clock }, account: Account): Promise<Account> {
  if (account.status !== 'active') throw refusalOf(account.status)
  return markLogin(db, { id: account.id, now: clock.now() })
}
