import type { ClientSessionOptions, Http2Session, ServerSessionOptions } from 'node:http2'

/** The name of the protocol in the WebSocket handshake: HTTP/2 (RFC 9113) in binary messages. The hub sends the requests. */
export const RELAY_SUBPROTOCOL = 'relay.h2.v1'

/** Close codes of the hub for tunnels. */
export const TUNNEL_CLOSE_CODES = { tryAgainLater: 1013, revoked: 4403, unknownProtocol: 4406 } as const

/** Reasons that the hub gives in the data of GOAWAY. `renewed`: the token of the tunnel was replaced by a newer one, or has expired. */
export const DRAIN_REASONS = { replaced: 'replaced', renewed: 'renewed', stopping: 'stopping' } as const

const FRAGMENT_BYTES = 65_536

/**
 * The flow control of one reply: at most 32 fragments of 64 KiB are under way or wait in the hub for a viewer that does not read. HTTP/2
 * calls this the window of a stream.
 */
const STREAM_WINDOW_BYTES = 32 * FRAGMENT_BYTES

/** The window of the whole connection. It is large, so that streams of viewers that do not read leave space for the others. */
const CONNECTION_WINDOW_BYTES = 32 * STREAM_WINDOW_BYTES

/** Requests that a tunnel carries at the same time. */
export const MAX_STREAMS_PER_TUNNEL = 128

/** For the hub. The default of `maxSessionMemory`, 10 MB, ends a session with a few slow readers. */
export const CLIENT_SESSION_OPTIONS: ClientSessionOptions = {
  settings: {
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxFrameSize: FRAGMENT_BYTES,
    maxConcurrentStreams: MAX_STREAMS_PER_TUNNEL,
    enablePush: false,
  },
  maxSessionMemory: 512,
}

/**
 * For the home server. Players cancel requests often, when they seek or have enough, and a hub sends the requests of all its viewers: the
 * default of Node ends a session after 1,000 cancelled requests, then 33 a second.
 */
export const SERVER_SESSION_OPTIONS: ServerSessionOptions = {
  settings: CLIENT_SESSION_OPTIONS.settings,
  maxSessionMemory: CLIENT_SESSION_OPTIONS.maxSessionMemory,
  streamResetBurst: 20_000,
  streamResetRate: 1000,
}

/** For both ends. Films do not get smaller by compression. */
export const WEB_SOCKET_LIMITS = { perMessageDeflate: false, maxPayload: 4 * 1024 * 1024 } as const

/** Opens the window of the connection; called when the session is connected. */
export function openConnectionWindow(session: Http2Session): void {
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES)
}
