import type { FastifyReply } from 'fastify'

/** A player that is paused reads nothing. One hour is longer than most pauses, and a client that has vanished is still disconnected. */
const MAX_PAUSE_MILLISECONDS = 3_600_000

/**
 * Lets the client of a reply pause for up to an hour. Without this, the connection is closed after the idle time of all connections. The
 * server sets that time again with the next request of the connection.
 */
export function allowClientPause(reply: Pick<FastifyReply, 'raw'>): void {
  reply.raw.socket?.setTimeout(MAX_PAUSE_MILLISECONDS)
}
