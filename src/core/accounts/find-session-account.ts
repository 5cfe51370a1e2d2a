import { createBatchLoader, type Database } from '../platform/database/index.ts'
import type { Session } from './session.ts'
import type { Account } from './account.ts'
import { selectSessionAccounts } from './queries/sessions.ts'

/**
 * Returns the account of an active session, including disabled accounts. Undefined for a session that was ended by a logout, a new password
 * or the reuse of a refresh token, and for one of another account. Both ids are UUIDs.
 */
export type FindSessionAccount = (session: Session) => Promise<Account | undefined>

/**
 * Creates the reader of session accounts. It runs for every request, so concurrent requests share a query, which starts after the last of
 * them.
 */
export function createFindSessionAccount({ db }: { db: Database }): FindSessionAccount {
  const read = createBatchLoader((ids: string[]) => selectSessionAccounts(db, ids))
  return async ({ accountId, sessionId }) => {
    const account = await read(sessionId.toLowerCase())
    return account?.id === accountId.toLowerCase() ? account : undefined
  }
}
