import type { Http2Session } from 'node:http2'
import type { WebSocket } from 'ws'

/** Both ends send a PING after each interval. If nothing arrives within the limit after a PING, the tunnel is dead. */
export const KEEP_ALIVE = { intervalMilliseconds: 20_000, limitMilliseconds: 10_000 } as const

export type KeepAliveTimes = { intervalMilliseconds: number; limitMilliseconds: number }

type KeepAliveInput = {
  session: Http2Session
  socket: WebSocket
  times: KeepAliveTimes
  /** @param milliseconds the time that a PING took */
  onPong: (milliseconds: number) => void
  /** Called once. */
  onDead: () => void
}

/**
 * Finds out whether the other end is alive. Anything that it sends proves it: on a slow line the reply to a PING waits behind the
 * bytes of films.
 * @returns ends the checks
 */
export function startKeepAlive({ session, socket, times, onPong, onDead }: KeepAliveInput): () => void {
  let isHeard = true
  let limit: NodeJS.Timeout | undefined
  const onMessage = (): void => {
    isHeard = true
  }
  const stop = (): void => {
    clearInterval(interval)
    clearTimeout(limit)
    socket.off('message', onMessage)
  }
  const check = (): void => {
    isHeard = false
    sendPing(session, onPong)
    clearTimeout(limit)
    limit = setTimeout(() => {
      if (isHeard) return
      stop()
      onDead()
    }, times.limitMilliseconds)
  }
  const interval = setInterval(check, times.intervalMilliseconds)
  socket.on('message', onMessage)
  return stop
}

/** Sends a PING; does nothing while ten are unanswered or when the session has ended. */
function sendPing(session: Http2Session, onPong: (milliseconds: number) => void): void {
  if (session.destroyed) return
  session.ping((error, milliseconds) => {
    if (error === null) onPong(milliseconds)
  })
}
