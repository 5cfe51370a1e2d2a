export {
  authorizeScrobbler,
  connectScrobbler,
  disconnectScrobbler,
  listScrobblers,
  listScrobbleServices,
} from './manage-scrobblers.ts'
export { scrobblingErrors } from './errors.ts'
export { nextIntervalSeconds } from './next-interval.ts'
export { sendScrobble } from './send-scrobble.ts'
export type { ScrobbleAuthorization } from './service.ts'
export type { Scrobbler, ScrobbleServiceState } from './scrobbler.ts'
export { SCROBBLE_SERVICES, type ScrobbleServiceName } from './services/index.ts'
