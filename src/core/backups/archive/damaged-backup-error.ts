import type { AppError } from '../../platform/errors/index.ts'
import { backupErrors } from '../errors.ts'

/**
 * The error for a damaged archive.
 * @param reason what differs, as the end of a sentence: `its header is not valid`
 */
export function damagedBackupError(reason: string, cause?: unknown): AppError {
  return backupErrors.backup_damaged({ message: `The backup is damaged: ${reason}`, cause })
}
