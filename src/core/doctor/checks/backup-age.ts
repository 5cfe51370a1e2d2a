import { findOverdue } from '../../backups/index.ts'
import { toIsoTimestamp } from '../../platform/time/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'

/**
 * Whether the server makes its backups. A failed backup is repeated every ten minutes; if the repetitions fail too, the newest backup
 * becomes older than permitted.
 */
export const backupAgeCheck: DoctorCheck = {
  id: 'backup-age',
  async runOnTables({ config, clock, phlix }, { db, connectionUri }) {
    const newest = await findOverdue({ config, clock, db, connectionUri })
    const create = phlix('backup:create --quiet')
    if (newest.state === 'damaged') return [warningResult(`the newest backup ${newest.name} is damaged`, create)]
    if (newest.state === 'overdue') {
      const { newestAt } = newest
      const text = newestAt === null ? 'there is no backup' : `the newest backup is of ${toIsoTimestamp(newestAt)}`
      return [
        warningResult(`${text}, although backups.interval_days is set: the server does not run, or fails`, create),
      ]
    }
    return okResult(
      newest.state === 'off' ? 'the server makes no backups: backups.interval_days is 0' : 'no backup is due',
    )
  },
}
