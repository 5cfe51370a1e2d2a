export { relayErrors } from './errors.ts'
export { findPeerKey, PEER_SESSION_OPTIONS, PEER_TLS } from './peers/peer-protocol.ts'
export { createPeerSessions } from './peers/peer-sessions.ts'
export type { ViewerRequest } from './admission/check-request.ts'
export {
  createRelay,
  type AdmittedRequest,
  type Relay,
  type RelayCounts,
  type RelayInput,
  type RelayTimes,
  type Viewer,
} from './relay.ts'
