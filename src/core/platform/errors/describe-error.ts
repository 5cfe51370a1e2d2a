/** The message of any thrown value; for logs and `error` columns, never for clients. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The errno code (`ENOENT`, `EADDRINUSE`) of a thrown system error; otherwise undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return undefined
}
