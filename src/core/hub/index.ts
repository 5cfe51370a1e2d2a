export { confirmClaim, fetchClaim, openClaim, type EnrolmentMaterial } from './claims/claims.ts'
export { readHubAudit, readHubSummary, trimHubAudit, type HubSummary } from './dashboard.ts'
export { issueServerToken } from './directory/directory.ts'
export { hubErrors } from './errors.ts'
export { hubConfig } from './hub-config.ts'
export { openHubServices, openHubStore, type HubServices, type HubStore } from './hub-services.ts'
export type { PeerKeys, PeerPair } from './keys/peer-keys.ts'
export type { HubUser } from './hub-user.ts'
export type { AuditEntry } from './queries/audit.ts'
export type { InviteLink, ServerShare } from './queries/shares.ts'
export type {
  DirectoryEvent,
  EnrolledServer,
  RelayDirectory,
  ServerAccess,
  StoredTunnel,
  TunnelOpening,
} from './relay-directory.ts'
export { listAccessCandidates } from './servers/access-candidates.ts'
export { disableHubServer, leaveHub, listHubServers, removeHubServer } from './servers/administer-server.ts'
export { readEnrolmentToken } from './servers/enrolment.ts'
export { recordHeartbeat } from './servers/heartbeat.ts'
export { serverStatus, type HubServer } from './hub-server.ts'
export { listServersOfUser } from './servers/list-servers.ts'
export { renewEnrolment, replaceServerKeys } from './servers/renew-enrolment.ts'
export {
  acceptInvite,
  createInviteLink,
  endShare,
  listInviteLinks,
  listServerShares,
  registerWithInvite,
  revokeInviteLink,
} from './sharing/sharing.ts'
export { changeHubUser, deleteHubUser, getHubUser, listHubUsers, resetHubPassword } from './users/administer-user.ts'
export { createHubUser } from './users/create-user.ts'
export { HUB_ACCESS_TOKEN_SECONDS, type HubCaller } from './users/hub-sessions.ts'
export { logInToHub } from './users/log-in.ts'
export { hubServerView, myServerView } from './servers/hub-server.view.ts'
export { hubUserView } from './users/hub-user.view.ts'
