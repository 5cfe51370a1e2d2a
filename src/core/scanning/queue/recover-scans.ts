import { acquireSessionLock, type Database } from '../../platform/database/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import { scanLockKey } from '../claim/scan-lock.ts'
import { queueForJobType } from './queue-scan.ts'
import { listJobIdsByStatus, requeueAbandonedJob } from '../queries/jobs.ts'

/**
 * Recovers the jobs of dead workers. A job in state `running` whose lock is free is queued again under its id, and every waiting job gets
 * a queue entry unless it has one. Called at the start of a daemon and every 15 s.
 * @returns the number of abandoned jobs
 */
export async function recoverScanJobs({
  db,
  connectionUri,
  jobs,
}: {
  db: Database
  connectionUri: string
  jobs?: JobQueue
}): Promise<number> {
  let abandoned = 0
  for (const { id } of await listJobIdsByStatus(db, { status: 'running' })) {
    // The server releases a lock when its connection ends, however the worker died.
    const lock = await acquireSessionLock({ connectionUri, key: scanLockKey(id), mode: 'exclusive' })
    if (lock === undefined) continue
    try {
      if (await requeueAbandonedJob(db, id)) abandoned += 1
    } finally {
      await lock.release()
    }
  }
  if (jobs !== undefined) {
    for (const { id, type } of await listJobIdsByStatus(db, { status: 'queued' }))
      await jobs.enqueue(queueForJobType(type), { id })
  }
  return abandoned
}
