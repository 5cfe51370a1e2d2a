import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/**
 * State of the tunnel and the hub, of which this server has neither. Clients show a server as offline unless `connected` and `isEnrolled`
 * are true, so both are true. `configured` is false.
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

/** There is no hub between client and server, so it adds no latency. */
export function networkHealthView(now: Date) {
  const network = { latencyMs: 0, status: 'healthy' as const, measuredAt: toIsoTimestamp(now) }
  return { success: true as const, ...network, data: network }
}
