import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { inactiveAccountError } from './log-in.ts'
import { markLogin } from './queries/accounts.ts'

/**
 * Records the login of an account that was authenticated without its password (by a passkey).
 * @throws AppError `account_disabled`, `account_pending`
 */
export async function recordLogin({ db, clock }: { db: Database; clock: Clock }, account: Account): Promise<Account> {
  if (account.status !== 'active') throw inactiveAccountError(account.status)
  return markLogin(db, { id: account.id, now: clock.now() })
}
