import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const NullableText = Nullable(Type.String())

const RelayHealthKeys = {
  relay: Type.Object({
    connected: Type.Boolean(),
    active: Type.Boolean(),
    reconnectAttempts: Type.Integer(),
    lastDisconnectTime: NullableText,
    activeSessions: Type.Integer(),
    lastConnectError: NullableText,
    lastConnectErrorAt: NullableText,
    stale: Type.Boolean(),
    configured: Type.Boolean(),
  }),
  hub: Type.Object({
    lastSuccessfulHeartbeat: NullableText,
    consecutiveFailures: Type.Integer(),
    lastLatencyMs: Nullable(Type.Integer()),
    isEnrolled: Type.Boolean(),
    enrollmentExpiresAt: NullableText,
    stale: Type.Boolean(),
    configured: Type.Boolean(),
  }),
}

const NetworkHealthKeys = {
  latencyMs: Type.Integer(),
  status: Type.Union([Type.Literal('healthy'), Type.Literal('degraded'), Type.Literal('offline')]),
  measuredAt: Type.String(),
}

/** The state of remote access. Its keys are at the top level, and again under `data`, where one client reads them. */
export const RelayHealth = Type.Object({
  success: Type.Literal(true),
  ...RelayHealthKeys,
  data: Type.Object(RelayHealthKeys),
})

/** The state of the network, with its keys at the top level and under `data`. */
export const NetworkHealth = Type.Object({
  success: Type.Literal(true),
  ...NetworkHealthKeys,
  data: Type.Object(NetworkHealthKeys),
})
