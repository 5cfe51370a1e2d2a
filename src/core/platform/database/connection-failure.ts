import type { Config } from '../config/index.ts'
import { AppError, describeError, systemErrorCode } from '../errors/index.ts'
import { databaseErrors } from './errors.ts'

/** Class 28: invalid authorization; 3D000: no such database (PostgreSQL, Appendix A). */
const REFUSED_SQL_STATE = /^(?:28...|3D000)$/

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOENT: 'there is no such socket (ENOENT)',
  ENOTFOUND: 'the name is unknown (ENOTFOUND)',
  EAI_AGAIN: 'the name cannot be resolved now (EAI_AGAIN)',
}

/**
 * The error of the first connection to a configured server, with the requested server and the cause, never with the password. Errors of
 * other kinds are returned unchanged.
 */
export function describeConnectionFailure({ options }: Pick<Config, 'options'>, error: unknown): unknown {
  const { 'database.host': host = '', 'database.port': port } = options
  const place = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (error instanceof AppError && error.code === databaseErrors.database_unavailable.definition.code) {
    return databaseErrors.database_unavailable({
      message: `PostgreSQL at ${place} cannot be reached: ${reasonOf(error.cause)}`,
      hint: 'DB_HOST and DB_PORT name the server; phlix config:show --origin shows where they are set',
      retryAfterSeconds: 2,
      cause: error,
    })
  }
  if (!REFUSED_SQL_STATE.test(systemErrorCode(error) ?? '')) return error
  return databaseErrors.database_refused({
    message: `PostgreSQL at ${place} refuses the connection: ${describeError(error)}`,
    hint: 'DB_USER, DB_PASSWORD and DB_NAME; phlix config:show --origin shows where they are set',
    cause: error,
  })
}

/** A name with several addresses has an error for each of them and no message of its own. */
function reasonOf(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const code = systemErrorCode(first)
  return (code === undefined ? undefined : WORDS[code]) ?? describeError(first)
}
