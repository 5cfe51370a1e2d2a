import { randomUUID } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { fastify, LogController, type FastifyBaseLogger } from 'fastify'
import type { Logger } from '../core/platform/logging/index.ts'
import type { App } from './http/app-types.ts'
import { sendClientError } from './http/client-error.ts'
import { parseQueryString } from './http/query-string.ts'
import { installBufferCollection } from './hooks/buffer-collection.ts'
import type { ReadClientAddress } from './hooks/client-address.ts'
import { sendError } from './hooks/errors.ts'
import { setReplyHeaders } from './hooks/reply-headers.ts'
import { logRequestWhenClosed } from './hooks/request-log.ts'
import type { UpgradeRequest } from './ws/upgrade-url.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Path parameters carry names of artists and albums and credential ids, which can be long. */
const MAX_PARAMETER_LENGTH = 2048

/**
 * A complete request must arrive within 60 s and its headers within 20 s. An idle connection is closed after 120 s, but
 * while media are sent, the client may pause for longer (`allow-client-pause.ts`).
 */
const TIMEOUTS = {
  connectionTimeout: 120_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 20_000, connectionsCheckingInterval: 2000 },
}

/**
 * Creates a Fastify instance with the limits, the log, the collection of received buffers and the answer to malformed requests that all
 * ports share.
 * @param upgrades selects the requests that become WebSockets; by default all upgrade requests once a listener is attached
 */
export function createInstance(
  { log }: { log: Logger },
  readClientAddress: ReadClientAddress,
  upgrades: { shouldUpgradeCallback?: (request: UpgradeRequest) => boolean } = {},
): App {
  const logger: FastifyBaseLogger = log.child({ domain: 'http' })
  const app = fastify({
    ...TIMEOUTS,
    http: { ...TIMEOUTS.http, ...upgrades },
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: parseQueryString },
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // Requests that fail before routing pass no hooks.
    frameworkErrors: (error, request, reply) => {
      logRequestWhenClosed(request, reply, readClientAddress(request))
      setReplyHeaders(request, reply)
      sendError(error, request, reply)
    },
    clientErrorHandler: sendClientError,
  })
  const typed = app.withTypeProvider<TypeBoxTypeProvider>()
  installBufferCollection(typed)
  return typed
}
