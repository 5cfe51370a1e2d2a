export { checkUrlAndDns } from './check-url-and-dns.ts'
export { readCertificate, type Certificate } from './read-certificate.ts'
export { outboundErrors } from './errors.ts'
export type { OutboundTrust } from './address-guard.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.ts'
export { OUTBOUND_PURPOSES, type OutboundPurpose, type SentRequest } from './sent-request.ts'
export { checkBrokerUrl, publishMqttMessage, type MqttMessage } from './publish-mqtt-message.ts'
export { openWebSocket, type WebSocketRequest } from './open-web-socket.ts'
export {
  createOwnServerClient,
  type OwnServerClient,
  type OwnServerReply,
  type OwnServerRequest,
  type ConnectedPeer,
} from './own-server.ts'
