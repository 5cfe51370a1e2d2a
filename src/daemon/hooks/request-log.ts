import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, systemErrorCode } from '../../core/platform/errors/index.ts'
import { withoutQuery } from '../../core/platform/logging/index.ts'
import type { App } from '../http/app-types.ts'

/**
 * Logs one line per request when its connection is done with it, whether answered or aborted. Responses with 5xx are logged as errors with
 * their cause, all others as info, including rate-limited requests, which clients can cause at will. URLs are logged without the query,
 * which may contain signatures.
 */
export function installRequestLog(app: App): void {
  app.addHook('onRequest', async (request, reply) => logRequestWhenClosed(request, reply, request.clientAddress))
}

/** Logs the request after its connection is done with it. The client address is read before, because a closed socket has no peer. */
export function logRequestWhenClosed(request: FastifyRequest, reply: FastifyReply, client: string): void {
  reply.raw.once('close', () => writeLine(request, reply, client))
}

function writeLine(request: FastifyRequest, reply: FastifyReply, client: string): void {
  if (request.routeOptions.config.isProbe === true && reply.statusCode < 500) return
  const line = {
    method: request.method,
    path: withoutQuery(request.url),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    client,
    ...(request.account === null || request.account === undefined ? {} : { accountId: request.account.id }),
    ...(reply.raw.writableFinished ? {} : { aborted: true }),
  }
  const { failure } = request
  if (failure instanceof AppError && failure.kind === 'busy')
    request.log.info({ ...line, code: failure.code }, 'request')
  else if (reply.statusCode >= 500) request.log.error({ ...line, failure: describeFailure(failure) }, 'request')
  else request.log.info(line, 'request')
}

type FailureDescription = { name: string; code?: string; message: string; stack?: string; cause?: FailureDescription }

/**
 * Describes an error and its causes by name, code, message and stack only: other properties of database errors contain values of the
 * statement.
 */
function describeFailure(thrown: unknown, depth = 0): FailureDescription | undefined {
  if (thrown === undefined || thrown === null || depth > 4) return undefined
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'a value that is not an Error was thrown' }
  const code = thrown instanceof AppError ? thrown.code : systemErrorCode(thrown)
  const cause = describeFailure(thrown.cause, depth + 1)
  return {
    name: thrown.name,
    ...(code === undefined ? {} : { code }),
    message: thrown.message,
    ...(thrown.stack === undefined ? {} : { stack: thrown.stack }),
    ...(cause === undefined ? {} : { cause }),
  }
}
