import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { OpenSocket } from '../../metrics/open-sockets.ts'
import type { RouteCount } from '../../metrics/route-counts.ts'
import type { TrafficSnapshot, TrafficSpan } from '../../metrics/traffic.ts'

type Latencies = Pick<TrafficSnapshot, 'p50Milliseconds' | 'p95Milliseconds' | 'p99Milliseconds'>

export function snapshotView(snapshot: TrafficSnapshot) {
  return {
    bytes_in_per_sec: snapshot.bytesInPerSecond,
    bytes_out_per_sec: snapshot.bytesOutPerSecond,
    active_connections: snapshot.openConnections,
    requests_per_sec: rounded(snapshot.requestsPerSecond),
    error_rate: snapshot.errorRate,
    ...latenciesView(snapshot),
  }
}

/** Bytes are per second, the unit of the clients' chart. */
export function spanView(span: TrafficSpan) {
  return {
    bucket: toIsoTimestamp(span.startsAt),
    bytes_in: span.bytesInPerSecond,
    bytes_out: span.bytesOutPerSecond,
    requests: span.requests,
    errors: span.errors,
    ...latenciesView(span),
  }
}

export function connectionView(socket: OpenSocket) {
  return {
    connection_id: socket.id,
    kind: socket.kind,
    remote_ip: socket.clientAddress,
    user_id: socket.accountId,
    bytes_in_rate: socket.bytesInRate,
    bytes_out_rate: socket.bytesOutRate,
    opened_at: toIsoTimestamp(socket.openedAt),
  }
}

export function routeView({ method, route, requests, errors, totalMilliseconds, maxMilliseconds }: RouteCount) {
  return {
    method,
    route,
    request_count: requests,
    error_count: errors,
    avg_ms: rounded(totalMilliseconds / requests),
    max_ms: rounded(maxMilliseconds),
  }
}

function latenciesView({ p50Milliseconds, p95Milliseconds, p99Milliseconds }: Latencies) {
  return { p50_ms: p50Milliseconds, p95_ms: p95Milliseconds, p99_ms: p99Milliseconds }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
