import { createBatchLoader, type Database } from '../platform/database/index.ts'
import type { Account } from './account.ts'
import { selectSessionAccounts } from './queries/sessions.ts'

/** What one sign-in began: a family of refresh tokens, and every access token that was made for it. */
export type Session = { accountId: string; sessionId: string }

/** How sessions are read, for each database that the process knows; it lives and goes with the pool. */
const readers = new WeakMap<Database, (sessionId: string) => Promise<Account | undefined>>()

/**
 * The account of a session that has not ended, disabled accounts too; undefined for a session that was ended by a logout, by a new
 * password or by a refresh token that came back, and for one of another account. Every request asks who sent it: those that come at
 * the same time share a query, which begins after all of them have come.
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
