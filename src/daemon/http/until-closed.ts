import type { FastifyReply } from 'fastify'

/** Fires when the connection of a request ends before or after its answer, so that no work is done for a client that has left. */
export function untilClosed(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  return left.signal
}
