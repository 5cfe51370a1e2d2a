import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { toDatabaseError } from '../../core/platform/database/index.ts'
import { AppError, type ErrorFactory, type ErrorKind } from '../../core/platform/errors/index.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'

/** HTTP status by kind of error. This is the only such table. */
export const HTTP_STATUS_BY_ERROR_KIND = {
  unauthenticated: 401,
  forbidden: 403,
  denied: 403,
  not_found: 404,
  invalid: 400,
  conflict: 409,
  gone: 410,
  limited: 429,
  busy: 503,
  unavailable: 503,
  misconfigured: 500,
  io: 500,
  failed: 500,
} as const satisfies Record<ErrorKind, number>

/** Exceptions by error code: transport errors, and statuses that the API fixes. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  precondition_failed: 412,
  body_too_large: 413,
  address_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  request_timeout: 408,
  headers_too_large: 431,
  'metadata.tmdb_unconfigured': 422,
  'metadata.no_match': 422,
  'metadata.tmdb_unreachable': 502,
  'plugin.install.failed': 422,
  plugin_catalogue_failed: 422,
  upgrade_required: 426,
  approve_failed: 500,
  'gateway.bad_reply': 502,
  'gateway.timeout': 504,
  gateway_not_found: 409,
  gateway_silent: 409,
  gateway_refused: 409,
  gateway_reply_invalid: 409,
  mapping_not_removed: 409,
}

/** Fastify errors that clients can cause, by Fastify code. */
const TRANSPORT_ERRORS: Readonly<Record<string, ErrorFactory>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: httpErrors.body_too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.unsupported_media_type,
  FST_ERR_CTP_INVALID_JSON_BODY: httpErrors.invalid_json,
  FST_ERR_MAX_PARAM_LENGTH: httpErrors.address_too_long,
}

/** Errors of other services whose text is for the user, and contains nothing about this server. */
const TOLD_CODES: ReadonlySet<string> = new Set(['scrobbling_service_failed'])

const RETRY_AFTER_SECONDS = 3

/** `Retry-After` of an error; undefined when a retry does not help. */
export function retryAfterHeader(error: AppError): string | undefined {
  if (!['limited', 'busy', 'unavailable'].includes(error.kind)) return undefined
  return String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS)
}

/** Converts everything thrown to `{error, code, message?, …details}`. */
export function installErrors(app: App): void {
  app.decorateRequest('failure', null)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler(() => {
    throw httpErrors.not_found()
  })
}

/** Converts an error to the response body. */
export type ErrorView = (error: AppError, status: number) => Record<string, unknown>

/** Sends an error response, including for requests that Fastify refuses before routing. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendErrorAs(errorBody, thrown, { request, reply })
}

/** Sends an error response with another body, for routes whose contract defines one. */
export function sendErrorAs(
  view: ErrorView,
  thrown: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const error = toAppError(thrown)
  const status = statusOf(error, request)
  request.failure = thrown
  const retryAfter = retryAfterHeader(error)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  removeCoding(reply)
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(view(error, status)))
}

/** A stream that fails before its first byte has left the coding of its reply in both places. */
function removeCoding(reply: FastifyReply): void {
  reply.removeHeader('content-encoding')
  if (!reply.raw.headersSent) reply.raw.removeHeader('content-encoding')
}

/** The body of an error. Internal details are omitted: a 500 has title and code only. */
export function errorBody(error: AppError, status: number): Record<string, unknown> {
  const body = { error: error.title, code: error.code }
  if (status >= 500 && error.kind !== 'busy' && !TOLD_CODES.has(error.code)) return body
  return { ...error.details, ...body, ...(error.text === undefined ? {} : { message: error.text }) }
}

/** The body of an error with the reason in `error`: existing clients show administrators only that key. */
export function errorReasonBody(error: AppError, status: number): Record<string, unknown> {
  const body = errorBody(error, status)
  return typeof body['message'] === 'string' ? { ...body, error: body['message'] } : body
}

/** Default HTTP status of an error. */
export function httpStatusOfError(error: AppError): number {
  return STATUS_OF_CODE[error.code] ?? HTTP_STATUS_BY_ERROR_KIND[error.kind]
}

function statusOf(error: AppError, request: FastifyRequest): number {
  const status = httpStatusOfError(error)
  return status === 400 ? (request.routeOptions?.config?.invalidStatus ?? 400) : status
}

/** Converts anything thrown to an AppError; `internal` for unexpected errors. */
export function toAppError(thrown: unknown): AppError {
  const known = toDatabaseError(thrown)
  if (known instanceof AppError) return known
  const { validation, code, statusCode } = thrown as Partial<FastifyError>
  if (validation?.[0] !== undefined) return toInvalidRequest(thrown as FastifyError)
  const transport = TRANSPORT_ERRORS[code ?? '']
  if (transport !== undefined) return transport({ cause: thrown })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return httpErrors.bad_request({ cause: thrown })
  return httpErrors.internal({ cause: thrown })
}

/** Names the field that failed schema validation. */
function toInvalidRequest({ validation, validationContext }: FastifyError): AppError {
  const { instancePath = '', params = {}, message = 'is not valid' } = validation?.[0] ?? {}
  const missing = params['missingProperty']
  const parts = instancePath.split('/').filter((part) => part !== '')
  const field = [...parts, ...(typeof missing === 'string' ? [missing] : [])].join('.')
  const reason = typeof missing === 'string' ? 'is required' : message
  const name = field === '' ? (validationContext ?? 'request') : field
  return httpErrors.invalid_request({ message: `${name} ${reason}`, details: { field: name } })
}
