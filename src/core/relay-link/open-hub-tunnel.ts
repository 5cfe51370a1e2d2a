import { constants, performServerHandshake } from 'node:http2'
import { createWebSocketStream, type WebSocket } from 'ws'
import type { OwnServerClient } from '../platform/outbound/index.ts'
import {
  startKeepAlive,
  openConnectionWindow,
  SERVER_SESSION_OPTIONS,
  type KeepAliveTimes,
} from '../relay-protocol/index.ts'
import { handleRelayedRequest } from './handle-relayed-request.ts'

/** Why a tunnel takes no more requests. */
export type TunnelCloseReason = {
  /** Whether the hub has announced it, and running requests finish. */
  isDrained: boolean
  reason: string
}

/** An open tunnel to the hub. */
export type HubTunnel = {
  /** Resolves when the hub sends no more requests; running ones may still finish. */
  ended: Promise<TunnelCloseReason>
  /** Resolves when the connection is closed. */
  closed: Promise<void>
  /** The requests that run. */
  requests(): number
  /** Time of the last PING in milliseconds; null before the first one. */
  latencyMilliseconds(): number | null
  /** Measures the latency now; rejects if the tunnel ends or the hub does not answer in time. */
  ping(): Promise<number>
  /** Takes no more requests, and ends when the running ones have finished, or after the limit. */
  close(limitMilliseconds: number): void
}

export type TunnelInput = { socket: WebSocket; ownServer: OwnServerClient; times: KeepAliveTimes }

/** Speaks HTTP/2 inside a WebSocket that this server has opened. The hub sends the requests. */
export function openHubTunnel({ socket, ownServer, times }: TunnelInput): HubTunnel {
  const duplex = createWebSocketStream(socket)
  const session = performServerHandshake(duplex, SERVER_SESSION_OPTIONS)
  const { promise: ended, resolve: end } = Promise.withResolvers<TunnelCloseReason>()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let requests = 0
  let latency: number | null = null
  let timer: NodeJS.Timeout | undefined

  const terminate = (reason: string): void => {
    end({ isDrained: false, reason })
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.terminate()
  }
  const stopKeepAlive = startKeepAlive({
    session,
    socket,
    times,
    onPong: (milliseconds) => (latency = milliseconds),
    onDead: () => terminate('the hub does not answer'),
  })
  openConnectionWindow(session)
  session.on('stream', (stream, headers) => {
    requests += 1
    void handleRelayedRequest(stream, headers, ownServer).then(() => (requests -= 1))
  })
  session.once('goaway', (_code, _last, data) => end({ isDrained: true, reason: textOf(data) }))
  // Errors are followed by `close`.
  session.on('error', () => undefined)
  duplex.on('error', () => undefined)
  socket.on('error', () => undefined)
  session.once('close', stopKeepAlive)
  socket.once('close', (code, reason) => {
    stopKeepAlive()
    clearTimeout(timer)
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    end({ isDrained: false, reason: reason.length > 0 ? String(reason) : `closed with ${code}` })
    close()
  })

  return {
    ended,
    closed,
    requests: () => requests,
    latencyMilliseconds: () => latency,
    ping: () =>
      new Promise((resolve, reject) => {
        session.ping((error, milliseconds) => {
          if (error === null) resolve((latency = milliseconds))
          else reject(error)
        })
        setTimeout(() => reject(new Error('the hub does not answer')), times.limitMilliseconds).unref()
      }),
    close(limitMilliseconds) {
      timer ??= setTimeout(() => terminate('closed'), limitMilliseconds)
      end({ isDrained: true, reason: 'closed' })
      if (!session.closed && !session.destroyed) session.close()
    },
  }
}

/** The data of GOAWAY comes from another program. */
function textOf(data: Uint8Array | undefined): string {
  const text = Buffer.from(data ?? []).toString('latin1')
  return /^[a-z ]{1,40}$/.test(text) ? text : 'the hub has ended the tunnel'
}
