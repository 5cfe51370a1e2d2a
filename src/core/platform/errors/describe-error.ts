/**
 * The message of any thrown value; for logs and `error` columns, never for clients. Some libraries report plain objects with the message
 * of an error.
 */
export function describeError(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' ? error.message : String(error)
}

/** The errno code (`ENOENT`, `EADDRINUSE`) of a thrown system error; otherwise undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return undefined
}
