import { listAbandonedScanJobs, recoverScanJobs } from '../../scanning/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { problemsOrOk, warningResult } from '../finding.ts'
import { pluralize } from '../../platform/errors/index.ts'

/** Jobs whose worker is dead. A running server queues them again within 15 s; without one they wait. */
export const staleJobsCheck: DoctorCheck = {
  id: 'stale-jobs',
  async runOnTables({ phlix }, { db, connectionUri }) {
    const ids = await listAbandonedScanJobs({ db, connectionUri })
    const mend = async (): Promise<void> => void (await recoverScanJobs({ db, connectionUri }))
    return problemsOrOk(
      ids.length === 0
        ? []
        : [
            warningResult(
              `${pluralize(ids.length, 'running job')} without a worker`,
              phlix('doctor --only stale-jobs --fix'),
              mend,
            ),
          ],
      'no job was abandoned',
    )
  },
}
