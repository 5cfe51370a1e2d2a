import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { selectServerCounts, type ServerCounts } from './queries.ts'

/** A player is active if it has reported within 2 minutes. Players report every 10 to 15 s, so some reports may be lost. */
const ACTIVE_WITHIN_MILLISECONDS = 120_000

/** The counts of items, jobs, deliveries, accounts, sign-ins and active players. @throws AppError `database_unavailable` */
export async function readServerCounts({ db, clock }: { db: Connection; clock: Clock }): Promise<ServerCounts> {
  const playingSince = new Date(clock.now().getTime() - ACTIVE_WITHIN_MILLISECONDS)
  return selectServerCounts(db, { playingSince })
}
