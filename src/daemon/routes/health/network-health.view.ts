import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/**
 * The tunnel and the hub of a server that has neither. Clients show a server as offline unless `connected` and `isEnrolled` are true;
 * nothing that was asked for is missing here, so both are. `configured` says that there is nothing to be connected.
 */
export function relayHealthView() {
  const relay = {
    connected: true,
    active: false,
    reconnectAttempts: 0,
    lastDisconnectTime: null,
    activeSessions: 0,
    lastConnectError: null,
    lastConnectErrorAt: null,
    stale: false,
    configured: false,
  }
  const hub = {
    lastSuccessfulHeartbeat: null,
    consecutiveFailures: 0,
    lastLatencyMs: null,
    isEnrolled: true,
    enrollmentExpiresAt: null,
    stale: false,
    configured: false,
  }
  return { success: true as const, relay, hub, data: { relay, hub } }
}

/** No hub stands between client and server: nothing is added to the time that the request itself takes. */
export function networkHealthView(now: Date) {
  const network = { latencyMs: 0, status: 'healthy' as const, measuredAt: toIsoTimestamp(now) }
  return { success: true as const, ...network, data: network }
}
