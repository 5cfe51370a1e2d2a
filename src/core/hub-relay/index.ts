export { relayErrors } from './errors.ts'
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
