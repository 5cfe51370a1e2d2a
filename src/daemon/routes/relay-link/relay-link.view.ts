import type { RelayReport } from '../../../core/relay-link/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'

/** The state of the tunnel in the keys of existing clients. Changes of the setting take effect at once. */
export function relayStateView(report: RelayReport, isHeartbeatStale: boolean) {
  return {
    success: true as const,
    connected: report.isConnected,
    active: report.isConnected,
    disabled: !report.isEnabled,
    enrolled: report.isEnrolled,
    reconnectAttempts: report.failures,
    activeSessions: report.requests,
    lastDisconnectTime: isoTimestampOrNull(report.disconnectedAt),
    lastConnectError: report.lastError,
    lastConnectErrorAt: isoTimestampOrNull(report.lastErrorAt),
    latencyMs: report.latencyMilliseconds === null ? null : Math.round(report.latencyMilliseconds),
    heartbeatStale: isHeartbeatStale,
    takesEffectOnReload: false,
  }
}
