import type { PortMapping, NetworkStatus } from '../network/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../platform/time/index.ts'

/** A forwarded port. Null as the end of the lease: it has none. */
export function mappingView(mapping: PortMapping, expiresAt: Date | null) {
  return {
    protocol: mapping.protocol,
    gateway: mapping.gatewayAddress,
    internal_address: mapping.internalAddress,
    internal_port: mapping.internalPort,
    external_address: mapping.externalAddress,
    external_port: mapping.externalPort,
    lease_seconds: mapping.leaseSeconds,
    opened_at: toIsoTimestamp(mapping.openedAt),
    expires_at: isoTimestampOrNull(expiresAt),
  }
}

/** The present state of the router, and the forwarded port. */
export function networkStatusView(status: NetworkStatus, expiresAt: Date | null) {
  const { isEnabled, isServerRunning, gateway, protocol, externalAddress, reach, mapping, internalPort, problem } =
    status
  return {
    enabled: isEnabled,
    server_running: isServerRunning,
    gateway: gateway?.address ?? null,
    local_address: gateway?.localAddress ?? null,
    protocol,
    external_address: externalAddress,
    reach,
    internal_port: internalPort,
    mapping: mapping === null ? null : mappingView(mapping, expiresAt),
    problem,
  }
}
