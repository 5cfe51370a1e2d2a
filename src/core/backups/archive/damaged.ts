import type { AppError } from '../../platform/errors/index.ts'
import { backupErrors } from '../errors.ts'

/** @param reason what differs, as half a sentence */
export function damaged(reason: string, cause?: unknown): AppError {
  return backupErrors.backup_damaged({ message: `The backup is damaged: ${reason}`, cause })
}
