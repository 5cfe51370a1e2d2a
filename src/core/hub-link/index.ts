export type { StoredEnrolment } from './enrolment/enrolment-file.ts'
export { readEnrolment } from './enrolment/enrolment-file.ts'
export type { Enrolment, EnrolmentSource } from './enrolment/enrolment-source.ts'
export { isHubReachable } from './is-hub-reachable.ts'
export { createHubLink, type HubLink, type HubLinkStatus } from './hub-link.ts'
export {
  completePairing,
  endPairing,
  pollPairing,
  readEnrolmentTimes,
  startPairing,
  type OpenedClaim,
} from './pairing.ts'
export { isHubToken } from './tokens/server-token.ts'
