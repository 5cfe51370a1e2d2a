import { acquireSessionLock, type SessionLock } from '../../platform/database/index.ts'
import { backupErrors } from '../errors.ts'

const LOCK = 'phlix:backup'

/** Takes the lock that allows one backup or restore of a database at a time, over all machines. @throws AppError `backup_busy` */
export async function lockBackups({ connectionUri }: { connectionUri: string }): Promise<SessionLock> {
  const lock = await acquireSessionLock({ connectionUri, key: LOCK })
  if (lock === undefined) throw backupErrors.backup_busy({ retryAfterSeconds: 30 })
  return lock
}
