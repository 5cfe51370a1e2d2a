import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app-types.ts'

/**
 * Headers of every reply: the request's id, no content sniffing, no referrer (signed addresses must not leak: SU-11). JSON is not
 * stored by caches, since it carries tokens and signed addresses.
 */
export function installReplyHeaders(app: App): void {
  app.addHook('onRequest', async (request, reply) => setReplyHeaders(request, reply))
  app.addHook('onSend', async (_request, reply) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/** The headers that do not depend on what is replied. */
export function setReplyHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
}
