import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { deleteExpiredCodeRows } from './queries.ts'

/** Deletes codes that have expired: they contain names and addresses of devices. */
export async function deleteExpiredDeviceCodes({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await deleteExpiredCodeRows(db, clock.now())
}
