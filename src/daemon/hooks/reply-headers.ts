import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app-types.ts'

/**
 * Sets the headers of every response: request id, no content sniffing, no referrer (it would leak signed URLs). Caches must not store JSON,
 * because it contains tokens and signed URLs.
 */
export function installReplyHeaders(app: App): void {
  app.addHook('onRequest', async (request, reply) => setReplyHeaders(request, reply))
  app.addHook('onSend', async (_request, reply) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/** Headers that do not depend on the response. */
export function setReplyHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
}
