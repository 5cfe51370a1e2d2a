import { isSessionLockHeld, type Connection } from '../../platform/database/index.ts'
import { scanLockKey } from '../claim/scan-lock.ts'
import { listJobIdsByStatus } from '../queries/jobs.ts'

/** The ids of the running jobs whose worker is dead. `recoverScanJobs` queues them again. */
export async function listAbandonedScanJobs({
  db,
  connectionUri,
}: {
  db: Connection
  connectionUri: string
}): Promise<string[]> {
  const abandoned: string[] = []
  for (const { id } of await listJobIdsByStatus(db, { status: 'running' })) {
    if (!(await isSessionLockHeld({ connectionUri, key: scanLockKey(id) }))) abandoned.push(id)
  }
  return abandoned
}
