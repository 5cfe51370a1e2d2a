import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Text = Nullable(Type.String())

/** The keys of existing clients; `reach`, `expiresAt` and `problem` are additions. */
export const PortForwardingState = Type.Object({
  success: Type.Literal(true),
  enabled: Type.Boolean(),
  method: Text,
  externalIp: Text,
  externalPort: Nullable(Type.Integer()),
  hostname: Text,
  reach: Text,
  expiresAt: Text,
  problem: Text,
})

export const ServerUrlCandidates = Type.Object({
  success: Type.Literal(true),
  candidates: Type.Array(Type.Object({ hostname: Type.String(), externalIp: Type.String(), port: Type.Integer() })),
})
