import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Text = Nullable(Type.String())

/** The keys of existing clients. */
export const RelayState = Type.Object({
  success: Type.Literal(true),
  connected: Type.Boolean(),
  active: Type.Boolean(),
  disabled: Type.Boolean(),
  enrolled: Type.Boolean(),
  reconnectAttempts: Type.Integer(),
  activeSessions: Type.Integer(),
  lastDisconnectTime: Text,
  lastConnectError: Text,
  lastConnectErrorAt: Text,
  latencyMs: Nullable(Type.Integer()),
  heartbeatStale: Type.Boolean(),
  takesEffectOnReload: Type.Boolean(),
})

export const RelayLatency = Type.Object({
  success: Type.Literal(true),
  latencyMs: Type.Integer(),
  heartbeatStale: Type.Boolean(),
})
