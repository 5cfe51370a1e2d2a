import { connect, constants, type ClientHttp2Session } from 'node:http2'
import { createWebSocketStream, type WebSocket } from 'ws'
import {
  startKeepAlive,
  openConnectionWindow,
  CLIENT_SESSION_OPTIONS,
  type KeepAliveTimes,
} from '../../relay-protocol/index.ts'

/** An open tunnel of a home server. */
export type ServerTunnel = {
  serverId: string
  /** Requests are sent to the home server through it. */
  session: ClientHttp2Session
  /** Whether new requests may be sent. */
  isOpen(): boolean
  /** Time of the last PING in milliseconds; null before the first one. */
  latencyMilliseconds(): number | null
  /** Tells the home server that it should connect again; running requests finish, within the limit. */
  drain(reason: string, limitMilliseconds: number): void
  /** Ends the tunnel and its requests within half a second, with a close code that the home server sees. */
  end(code: number, reason: string): void
  /** Resolves when the connection is closed. */
  closed: Promise<void>
}

/** The longest wait for the close frame of the home server. */
const CLOSE_MILLISECONDS = 500

/** Speaks HTTP/2 inside a WebSocket whose home server is authenticated. The hub is the client. */
export function openServerTunnel(
  socket: WebSocket,
  { serverId, times }: { serverId: string; times: KeepAliveTimes },
): ServerTunnel {
  const duplex = createWebSocketStream(socket)
  const session = connect('http://home', { ...CLIENT_SESSION_OPTIONS, createConnection: () => duplex })
  let latency: number | null = null
  let timer: NodeJS.Timeout | undefined
  let isDraining = false
  const { promise: closed, resolve } = Promise.withResolvers<void>()

  const terminate = (): void => {
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.terminate()
  }
  const stopKeepAlive = startKeepAlive({
    session,
    socket,
    times,
    onPong: (milliseconds) => (latency = milliseconds),
    onDead: terminate,
  })
  session.once('connect', openConnectionWindow)
  // Errors are followed by `close`.
  session.on('error', () => undefined)
  session.once('close', stopKeepAlive)
  duplex.on('error', () => undefined)
  socket.on('error', () => undefined)
  socket.once('close', () => {
    stopKeepAlive()
    clearTimeout(timer)
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    resolve()
  })

  return {
    serverId,
    session,
    isOpen: () => !isDraining && !session.closed && !session.destroyed,
    latencyMilliseconds: () => latency,
    drain(reason, limitMilliseconds) {
      if (isDraining || session.destroyed) return
      isDraining = true
      timer = setTimeout(terminate, limitMilliseconds)
      session.goaway(constants.NGHTTP2_NO_ERROR, undefined, Buffer.from(reason))
      session.close()
    },
    end(code, reason) {
      isDraining = true
      clearTimeout(timer)
      timer = setTimeout(terminate, CLOSE_MILLISECONDS)
      socket.close(code, reason)
    },
    closed,
  }
}
