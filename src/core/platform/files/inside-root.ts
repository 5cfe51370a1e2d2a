import { AppError, systemErrorCode } from '../errors/index.ts'
import { fileErrors } from './errors.ts'

/** A real root with its slash, so that `/films-old/x` does not count as inside `/films`. */
export function withSlash(root: string): string {
  return root.endsWith('/') ? root : `${root}/`
}

/** Whether `path` is `folder` or lies below it; both normalised. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(withSlash(folder))
}

/** What a system error of opening or reading means to callers; errors that are no system errors come back unchanged. */
export function asFileError(error: unknown): unknown {
  if (error instanceof AppError) return error
  switch (systemErrorCode(error)) {
    case undefined:
      return error
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    // A path with NUL in it: no file can have that name.
    case 'ERR_INVALID_ARG_VALUE':
      return fileErrors.file_not_found({ cause: error })
    case 'ENXIO':
      return fileErrors.not_a_regular_file({ cause: error })
    default:
      return fileErrors.file_unreadable({ cause: error })
  }
}
