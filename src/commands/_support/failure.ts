import { AppError, describeError, systemErrorCode } from '../../core/platform/errors/index.ts'
import { InterruptedError } from './errors.ts'
import { EXIT, exitCodeOfKind } from './exit-codes.ts'
import { NOT_FOUND_HINTS } from './not-found-hints.ts'
import { describeUsageError } from './output/usage-error.ts'

/** The report of a failed command: the `error` object with `--json`, otherwise two lines on stderr. */
export type Failure = {
  /** The error code, as in the HTTP API. */
  code: string
  message: string
  exit: number
  hint: string | null
  details: Readonly<Record<string, unknown>>
}

export type FailureContext = {
  /** Whether the command line had been parsed. Earlier failures are usage errors. */
  isParsed: boolean
  /** The command as typed, for example `phlix library:scan`. */
  commandLine: string
}

/** Converts anything thrown by a command to a Failure. It never contains the input of the parser. */
export function convertErrorToFailure(error: unknown, context: FailureContext): Failure {
  if (error instanceof AppError) return ofAppError(error)
  if (error instanceof InterruptedError) {
    return { code: error.message, message: capitalised(error.message), exit: error.exit, hint: null, details: {} }
  }
  if (!context.isParsed && error instanceof Error) {
    const { message, hint = `${context.commandLine} --help` } = describeUsageError(error)
    return { code: 'usage', message, exit: EXIT.usage, hint, details: {} }
  }
  return fromUnknownError(error)
}

function ofAppError(error: AppError): Failure {
  const retry = error.retryAfterSeconds
  return {
    code: error.code,
    message: error.text ?? error.title,
    exit: error.code === 'backup_damaged' ? EXIT.check : exitCodeOfKind(error.kind),
    hint: error.hint ?? NOT_FOUND_HINTS[error.code] ?? null,
    details: retry === undefined ? error.details : { ...error.details, retry_after_seconds: retry },
  }
}

const DENIED_CODES = new Set(['EACCES', 'EPERM'])
const IO_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOTDIR', 'EISDIR'])

/** Unexpected errors: a system error keeps its meaning, any other is a bug of the program. */
function fromUnknownError(error: unknown): Failure {
  const word = systemErrorCode(error)
  const message = describeError(error)
  if (word !== undefined && DENIED_CODES.has(word)) {
    return { code: 'denied', message, exit: EXIT.denied, hint: null, details: {} }
  }
  if (word !== undefined && IO_CODES.has(word)) {
    return { code: 'io_error', message, exit: EXIT.io, hint: null, details: {} }
  }
  return {
    code: 'internal',
    message,
    exit: EXIT.failure,
    hint: 'run the command again with -vv to see the stack trace',
    details: {},
  }
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
