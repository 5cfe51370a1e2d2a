import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Account } from './account.ts'
import { accountErrors } from './errors.ts'
import { markLogin } from './queries.ts'

/**
 * Lets an account in that has proved who it is by other means than its password (a passkey), and notes the login.
 * @throws AppError `account_disabled`
 */
export async function noteLogin({ db, clock }: { db: Database; clock: Clock }, account: Account): Promise<Account> {
  if (account.status === 'disabled') throw accountErrors.account_disabled()
  return markLogin(db, { id: account.id, now: clock.now() })
}
