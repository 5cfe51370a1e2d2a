import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Text = Nullable(Type.String())

export const HubState = Type.Object({
  success: Type.Literal(true),
  paired: Type.Boolean(),
  serverId: Text,
  hubUrl: Text,
  enrolledAt: Text,
  expiresAt: Text,
  lastHeartbeat: Text,
  problem: Text,
})

const Url = Type.Optional(Type.String({ maxLength: 400 }))

export const PairBody = Type.Object({ hubUrl: Url, serverName: Type.Optional(Type.String({ maxLength: 200 })) })

export const Paired = Type.Object({
  success: Type.Literal(true),
  serverId: Text,
  hubUrl: Type.String(),
  claimCode: Type.String(),
  claimId: Type.String(),
  expiresIn: Type.Integer(),
})

export const PollBody = Type.Object({
  claimId: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' }),
  hubUrl: Url,
})

export const PollResult = Type.Object({
  success: Type.Boolean(),
  token: Text,
  serverId: Text,
  message: Type.String(),
})

export const CompleteBody = Type.Object({
  enrollmentJwt: Type.String({ minLength: 1, maxLength: 4096 }),
  hubJwksUrl: Type.Optional(Type.String({ maxLength: 1000 })),
  serverId: Type.String({ minLength: 36, maxLength: 36 }),
  hubUrl: Url,
})

export const DoneReply = Type.Object({ success: Type.Literal(true) })
export const Unpaired = Type.Object({ success: Type.Literal(true), confirmed: Type.Boolean() })
export const HeartbeatSent = Type.Object({ success: Type.Literal(true), receivedAt: Type.String() })
export const ServerIdentity = Type.Object({ kid: Type.String(), signature: Type.String() })
