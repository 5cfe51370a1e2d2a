import type { FastifyReply } from 'fastify'

/** Returns a signal that aborts when the connection of the request closes, so that no work is done for a client that has disconnected. */
export function connectionClosedSignal(reply: Pick<FastifyReply, 'raw'>): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  return left.signal
}
