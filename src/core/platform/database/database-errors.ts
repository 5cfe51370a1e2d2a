import { AppError, systemErrorCode } from '../errors/index.ts'
import { databaseErrors } from './errors.ts'

const MAX_CAUSE_CHAIN = 6

/** Class 08: connection exception; 53: insufficient resources; 57: operator intervention, shutdown (PostgreSQL, Appendix A). */
const UNAVAILABLE_SQL_STATE = /^(?:08...|53...|57P0[1-5]|57014|58030|XX001)$/

const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const UNAVAILABLE_CONNECT_CODES = new Set(['ENOENT', 'EMFILE', 'ENFILE'])

const UNAVAILABLE_NAMES = new Set([
  'ConnectionError',
  'BackendTerminatedError',
  'BackendTerminatedUnexpectedlyError',
  'StatementTimeoutError',
  'StatementCancelledError',
])

const UNAVAILABLE_TEXTS =
  /connection terminated|client has encountered a connection error|connection ended|timeout (?:expired|exceeded)|query read timeout|client was closed/i

/**
 * Converts an error that means that the database is unreachable, overloaded or shutting down to `database_unavailable`. Returns other
 * errors unchanged. Drivers wrap errors, so the whole chain of causes is examined.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error
  return chainOf(error).some(isUnavailable)
    ? databaseErrors.database_unavailable({ cause: error, retryAfterSeconds: 2 })
    : error
}

/** The name of the unique constraint or index that a statement violated. Undefined for any other error. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  for (const link of chainOf(error)) {
    if (!(link instanceof Error) || !('code' in link) || link.code !== '23505') continue
    if ('constraint' in link && typeof link.constraint === 'string') return link.constraint
  }
  return undefined
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let link = error; link !== undefined && link !== null && chain.length < MAX_CAUSE_CHAIN;) {
    chain.push(link)
    link = link instanceof Error ? link.cause : undefined
  }
  return chain
}

function isUnavailable(link: unknown): boolean {
  if (!(link instanceof Error)) return false
  if (UNAVAILABLE_NAMES.has(link.name) || UNAVAILABLE_NAMES.has(link.constructor.name)) return true
  const code = systemErrorCode(link)
  // For connect(2) these mean that the socket is missing or that no descriptor is free; other calls return them for any file.
  if (code !== undefined && UNAVAILABLE_CONNECT_CODES.has(code)) return 'syscall' in link && link.syscall === 'connect'
  if (code !== undefined && (UNAVAILABLE_SYSTEM_CODES.has(code) || UNAVAILABLE_SQL_STATE.test(code))) return true
  return code === undefined && UNAVAILABLE_TEXTS.test(link.message)
}
