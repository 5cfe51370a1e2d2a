import type { HubLinkStatus } from '../../../core/hub-link/index.ts'
import type { RelayState } from '../../../core/relay-link/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** Heartbeats that may fail before the reply reports it: a hub is offline after three. */
const TOLERATED_FAILURES = 3

/**
 * State of the tunnel and the hub. Clients show a server as offline unless `connected` and `isEnrolled` are true, so both are true for a
 * server without a hub; `configured` is false then. Anybody may ask: reasons of failures are for administrators only.
 */
export function relayHealthView(
  { isPaired, lastHeartbeatAt, failures, latencyMilliseconds, expiresAt }: HubLinkStatus,
  tunnel: RelayState,
) {
  const isConfigured = tunnel.isEnrolled && !tunnel.isOff
  const relay = {
    connected: !isConfigured || tunnel.isConnected,
    active: tunnel.isConnected,
    reconnectAttempts: tunnel.failures,
    lastDisconnectTime: isoTimestampOrNull(tunnel.disconnectedAt),
    activeSessions: tunnel.requests,
    lastConnectError: tunnel.lastError === null ? null : 'The tunnel to the hub could not be opened, or was lost.',
    lastConnectErrorAt: isoTimestampOrNull(tunnel.lastErrorAt),
    stale: isConfigured && !tunnel.isConnected,
    configured: isConfigured,
  }
  const hub = {
    lastSuccessfulHeartbeat: isoTimestampOrNull(lastHeartbeatAt),
    consecutiveFailures: failures,
    lastLatencyMs: latencyMilliseconds,
    isEnrolled: true,
    enrollmentExpiresAt: isoTimestampOrNull(expiresAt),
    stale: failures >= TOLERATED_FAILURES,
    configured: isPaired,
  }
  return { success: true as const, relay, hub, data: { relay, hub } }
}

/** Without a hub there is none between client and server, so it adds no latency. */
export function networkHealthView({ isPaired, failures, latencyMilliseconds }: HubLinkStatus, now: Date) {
  const status = isPaired ? pairedStatus(failures) : ('healthy' as const)
  const network = { latencyMs: latencyMilliseconds ?? 0, status, measuredAt: toIsoTimestamp(now) }
  return { success: true as const, ...network, data: network }
}

function pairedStatus(failures: number): 'healthy' | 'degraded' | 'offline' {
  if (failures === 0) return 'healthy'
  return failures < TOLERATED_FAILURES ? 'degraded' : 'offline'
}
