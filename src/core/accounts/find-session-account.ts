import { createBatchLoader, type Database } from '../platform/database/index.ts'
import type { Session } from './session.ts'
import type { Account } from './account.ts'
import { selectSessionAccounts } from './queries/sessions.ts'

/** The batch loader of each open database; it is collected together with the pool. */
const readers = new WeakMap<Database, (sessionId: string) => Promise<Account | undefined>>()

/**
 * The account of an active session, including disabled accounts. Undefined for a session that was ended by a logout, a new password or the
 * reuse of a refresh token, and for one of another account. It is read for every request, so concurrent requests share a query that starts
 * after all of them arrived.
 * @param session both ids are UUIDs
 */
export async function findSessionAccount(
  { db }: { db: Database },
  { accountId, sessionId }: Session,
): Promise<Account | undefined> {
  const read = readers.get(db) ?? createBatchLoader((ids: string[]) => selectSessionAccounts(db, ids))
  readers.set(db, read)
  const account = await read(sessionId.toLowerCase())
  return account?.id === accountId.toLowerCase() ? account : undefined
}
