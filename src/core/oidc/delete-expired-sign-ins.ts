import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { deleteExpiredCodes, deleteExpiredLogoutTokens, deleteExpiredRequests } from './queries.ts'

/** Deletes what expired sign-ins and logout tokens have left. Codes contain an ID token and the address of a person. */
export async function deleteExpiredSignIns({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now()
  await deleteExpiredRequests(db, now)
  await deleteExpiredCodes(db, now)
  await deleteExpiredLogoutTokens(db, now)
}
