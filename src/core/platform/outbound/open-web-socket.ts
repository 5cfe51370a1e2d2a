import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { ClientOptions, WebSocket } from 'ws'
import { outboundErrors } from './errors.ts'
import { checkUrl } from './check-url.ts'
import { guardedLookup, type ResolveName } from './guarded-lookup.ts'
import type { OutboundTrust } from './address-guard.ts'

export type WebSocketRequest = {
  /** `ws:` or `wss:`, without user name. */
  url: string
  trust: OutboundTrust
  subprotocol: string
  headers: Record<string, string>
  /** Time limit of DNS, connection, TLS and the reply to the handshake. */
  timeoutMilliseconds: number
  maxMessageBytes: number
}

/**
 * Opens a WebSocket, paused and without compression. Addresses are checked like those of HTTP requests, and redirects are not followed.
 * @throws AppError `outbound_refused` (with `status` in its details if the server answered with one), `outbound_unreachable`; the signal's
 * reason
 */
export async function openWebSocket(
  request: WebSocketRequest,
  signal?: AbortSignal,
  resolveName: ResolveName = lookup,
): Promise<WebSocket> {
  const url = checkSocketUrl(request.url, request.trust)
  // Loaded on demand: most processes open no WebSocket.
  const { WebSocket: Socket } = await import('ws')
  signal?.throwIfAborted()
  // The library passes `lookup` on to the socket, but its types do not have it.
  const options: ClientOptions & { lookup: LookupFunction } = {
    headers: { 'user-agent': 'Phlix', ...request.headers },
    handshakeTimeout: request.timeoutMilliseconds,
    maxPayload: request.maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
    lookup: guardedLookup(request.trust, resolveName),
  }
  const socket = new Socket(url, request.subprotocol, options)
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  const onAbort = (): void => {
    reject(signal?.reason as Error)
    socket.terminate()
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  socket.once('open', () => {
    // Messages may arrive before the caller listens. A stream of the socket resumes it.
    socket.pause()
    resolve(socket)
  })
  socket.once('unexpected-response', (_request, reply) => {
    const status = reply.statusCode ?? 0
    reject(outboundErrors.outbound_refused({ message: `${url.host} answered ${status}.`, details: { status } }))
    reply.destroy()
    socket.terminate()
  })
  socket.on('error', (error) =>
    reject(outboundErrors.outbound_unreachable({ message: `${url.host} cannot be reached.`, cause: error })),
  )
  socket.once('close', () => reject(outboundErrors.outbound_unreachable({ message: `${url.host} has hung up.` })))
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Parses the address of a WebSocket and checks what is known before DNS resolution.
 * @throws AppError `outbound_refused`
 */
function checkSocketUrl(text: string, trust: OutboundTrust): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'ws:' && url.protocol !== 'wss:'))
    throw outboundErrors.outbound_refused({ message: 'The address of a WebSocket begins with ws:// or wss://.' })
  checkUrl(text.replace(/^ws/i, 'http'), trust)
  return url
}
