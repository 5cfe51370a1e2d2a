export { CLAIM_CODE_SECONDS, generateClaimCode, normalizeClaimCode } from './claim-code.ts'
export { ClaimedReply, HeartbeatReply, NewClaimReply, RenewalReply, type HeartbeatMember } from './replies.ts'
export {
  HEARTBEAT_SECONDS,
  LIBRARY_SUBSETS,
  MISSED_HEARTBEATS,
  PROTOCOL_HEADER,
  PROTOCOL_VERSION,
  type HeartbeatReport,
} from './heartbeat.ts'
export { parseHubOrigin } from './hub-origin.ts'
export { isIpv6Host, isLocalHost } from './local-host.ts'
export { verifyKeyProof, signKeyProof, type KeyProof } from './key-proof.ts'
export { parsePublicKeys, publicKeyHash, toPublicJwk, type KnownKey } from './public-keys.ts'
export { IDENTITY_NONCE_PATTERN, SERVER_IDENTITY_PATH, serverIdentityText } from './server-identity.ts'
export {
  CLOCK_SKEW_SECONDS,
  ENROLMENT_SECONDS,
  HUB_ISSUER,
  MEDIA_SERVER_AUDIENCE,
  SERVER_AUDIENCE,
  SERVER_TOKEN_SECONDS,
  SERVER_TOKEN_SCOPE,
} from './tokens.ts'
