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

const UNAVAILABLE_NAMES = new Set([
  'ConnectionError',
  'BackendTerminatedError',
  'BackendTerminatedUnexpectedlyError',
  'StatementTimeoutError',
  'StatementCancelledError',
])

const UNAVAILABLE_TEXTS =
  /connection terminated|client has encountered a connection error|connection ended|timeout (?:expired|exceeded)/i

/**
 * A database that is away, too busy or shutting down as `database_unavailable`; anything else as it is. Errors keep their causes,
 * so the whole chain is looked at.
 */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error
  return chainOf(error).some(isUnavailable)
    ? databaseErrors.database_unavailable({ cause: error, retryAfterSeconds: 2 })
    : error
}

/** The name of the unique constraint or index that a write ran into, or undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
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
  // A socket that is not there, not just any file.
  if (code === 'ENOENT') return 'syscall' in link && link.syscall === 'connect'
  if (code !== undefined && (UNAVAILABLE_SYSTEM_CODES.has(code) || UNAVAILABLE_SQL_STATE.test(code))) return true
  return code === undefined && UNAVAILABLE_TEXTS.test(link.message)
}
