import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

const integer = Type.Optional(QueryInteger)

export const SnapshotQuery = Type.Object({ window: integer })
export const HistoryQuery = Type.Object({ minutes: integer, resolution: integer })
export const ConnectionsQuery = Type.Object({ ttl: integer })
export const RoutesQuery = Type.Object({ minutes: integer, limit: integer })

export const Snapshot = Type.Object({
  data: Type.Object({
    bytes_in_per_sec: Type.Integer(),
    bytes_out_per_sec: Type.Integer(),
    active_connections: Type.Integer(),
    requests_per_sec: Type.Number(),
    error_rate: Type.Number(),
    p50_ms: Type.Number(),
    p95_ms: Type.Number(),
    p99_ms: Type.Number(),
  }),
})

const Bucket = Type.Object({
  bucket: Type.String(),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  p50_ms: Type.Number(),
  p95_ms: Type.Number(),
  p99_ms: Type.Number(),
})

export const History = Type.Object({ data: Type.Array(Bucket) })

const Connection = Type.Object({
  connection_id: Type.String(),
  kind: Type.String(),
  remote_ip: Type.String(),
  user_id: Nullable(Type.String()),
  bytes_in_rate: Type.Integer(),
  bytes_out_rate: Type.Integer(),
  opened_at: Type.String(),
})

export const Connections = Type.Object({ data: Type.Array(Connection) })

const Route = Type.Object({
  method: Type.String(),
  route: Type.String(),
  request_count: Type.Integer(),
  error_count: Type.Integer(),
  avg_ms: Type.Number(),
  max_ms: Type.Number(),
})

export const Routes = Type.Object({ data: Type.Array(Route) })
