import { AppError, systemErrorCode } from '../errors/index.ts'
import { fileErrors } from './errors.ts'

/** Converts a system error of opening or reading to an AppError. Other errors are returned unchanged. */
export function toFileError(error: unknown): unknown {
  if (error instanceof AppError) return error
  switch (systemErrorCode(error)) {
    case undefined:
      return error
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    // A path with a NUL character: no file can have that name.
    case 'ERR_INVALID_ARG_VALUE':
      return fileErrors.file_not_found({ cause: error })
    case 'ENXIO':
      return fileErrors.not_a_regular_file({ cause: error })
    default:
      return fileErrors.file_unreadable({ cause: error })
  }
}

/** Whether a system error says that the path does not exist, in contrast to an unknown state. */
export function isNotFoundError(error: unknown): boolean {
  const code = systemErrorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP'
}
