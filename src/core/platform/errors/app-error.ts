/** The category of an error, independent of HTTP and of the shell. The daemon maps a kind to a status, commands map it to an exit code. */
export type ErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'gone'
  | 'limited'
  | 'busy'
  | 'unavailable'
  | 'misconfigured'
  | 'denied'
  | 'io'
  | 'failed'

export type ErrorDetails = Readonly<Record<string, unknown>>

export type AppErrorOptions = {
  kind: ErrorKind
  /** Stable machine-readable code, for example `library_not_found`. */
  code: string
  /** Short human-readable title; sent as `error`. */
  title: string
  /** Longer text for this occurrence; sent as `message`. Never the message of a library. */
  message?: string | undefined
  /** Facts that a client may need, for example `{ valid_types }`; merged into the response body. */
  details?: ErrorDetails | undefined
  /** A command or action that resolves the problem; shown by the command line. */
  hint?: string | undefined
  /** For `limited`, `busy` and `unavailable`: whole seconds to wait. */
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** The only error type that crosses domain boundaries. Any other thrown error is a bug and is reported as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly code: string
  readonly title: string
  readonly text: string | undefined
  readonly details: ErrorDetails
  readonly hint: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(options: AppErrorOptions) {
    super(options.message ?? options.title, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = options.kind
    this.code = options.code
    this.title = options.title
    this.text = options.message
    this.details = options.details ?? {}
    this.hint = options.hint
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
