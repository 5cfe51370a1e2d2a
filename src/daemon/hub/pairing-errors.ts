import type { FastifyError } from 'fastify'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/hub-protocol/index.ts'
import { hubErrors } from '../../core/hub/index.ts'
import type { AppError } from '../../core/platform/errors/index.ts'
import type { App } from '../http/app-types.ts'
import { errorBody, sendErrorAs } from '../hooks/errors.ts'

/** The error body of the calls between home servers and hubs: the code is in `error`. */
function pairingErrorBody(error: AppError, status: number): Record<string, unknown> {
  if (status >= 500 && error.kind !== 'busy' && error.kind !== 'unavailable') {
    return { error: 'HUB_INTERNAL_ERROR', message: error.title }
  }
  const { error: _, code, message, ...details } = errorBody(error, status)
  return { error: code, code, message: message ?? error.title, ...(Object.keys(details).length > 0 ? { details } : {}) }
}

/** Answers the errors of a scope in that form. */
export function installPairingErrors(app: App): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    sendErrorAs(pairingErrorBody, error, { request, reply })
  })
}

/** Refuses write calls without the version of the protocol. */
export function requireProtocol(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET') return
    if (request.headers[PROTOCOL_HEADER] === PROTOCOL_VERSION) return
    throw hubErrors.protocol_unsupported({ details: { supported: [PROTOCOL_VERSION] } })
  })
}
