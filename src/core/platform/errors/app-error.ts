/** What went wrong, in words that neither HTTP nor the shell owns. The daemon maps a kind to a status, commands to an exit code. */
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
  /** Stable machine word, for example `library_not_found`. */
  code: string
  /** Short human title; goes out as `error` on the wire. */
  title: string
  /** Longer text for this occurrence; goes out as `message`. Never a library's own text. */
  message?: string | undefined
  /** Facts that a client may need, for example `{ valid_types }`; spread into the wire body. */
  details?: ErrorDetails | undefined
  /** One command or action that helps; shown by the command line. */
  hint?: string | undefined
  /** For `limited`, `busy` and `unavailable`: whole seconds to wait. */
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** The one error type that crosses folder borders. Everything else that is thrown is a bug and is reported as `internal`. */
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
