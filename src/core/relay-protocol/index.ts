export { findAllowedRequest, type AllowedRequest, type ReplyTransfer } from './path/allowlist.ts'
export { parseRelayPath, formatRelayPath, type RelayPath } from './path/relay-path.ts'
export { checkHubFields, checkViewerFields } from './headers/request-fields.ts'
export { checkReplyHead, type ReplyHead } from './headers/reply-fields.ts'
export { parseReceivedFields } from './headers/received-fields.ts'
export { type HeaderFields, type ReceivedField } from './headers/header-fields.ts'
export { reconnectDelay, STABLE_MILLISECONDS } from './reconnect-delay.ts'
export {
  CLIENT_SESSION_OPTIONS,
  DRAIN_REASONS,
  MAX_STREAMS_PER_TUNNEL,
  openConnectionWindow,
  RELAY_SUBPROTOCOL,
  SERVER_SESSION_OPTIONS,
  TUNNEL_CLOSE_CODES,
  WEB_SOCKET_LIMITS,
} from './session/session-options.ts'
export { KEEP_ALIVE, startKeepAlive, type KeepAliveTimes } from './session/keep-alive.ts'
