import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'
import { ServerUrlCandidates, STORABLE_TEXT, ServerVersion } from './claims.schemas.ts'

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const Id = Type.String({ maxLength: 64 })

export const HeartbeatBody = Type.Object({
  serverId: Type.Optional(Id),
  version: ServerVersion,
  timestamp: Type.Optional(Type.String({ maxLength: 40 })),
  uptimeSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1e10 })),
  activeSessions: Type.Optional(Count),
  activeTranscodes: Type.Optional(Count),
  hostnameCandidates: Type.Optional(ServerUrlCandidates),
  libraries: Type.Optional(
    Type.Array(
      Type.Object({
        library_id: Type.String({ maxLength: 64, pattern: STORABLE_TEXT }),
        library_name: Type.String({ maxLength: 200, pattern: STORABLE_TEXT }),
      }),
      { maxItems: 500 },
    ),
  ),
  capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 40, pattern: STORABLE_TEXT }), { maxItems: 32 })),
  intervalSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6 })),
})

export const Heartbeat = Type.Object({
  success: Type.Literal(true),
  receivedAt: Type.String(),
  members: Type.Array(
    Type.Object({
      user_id: Type.String(),
      username: Type.String(),
      is_owner: Type.Boolean(),
      library_ids: Type.Union([Type.Array(Type.String()), Type.Null()]),
    }),
  ),
  tunnel_port: Type.Integer(),
})

const Proof = Type.String({ maxLength: 4096 })

export const RenewalBody = Type.Object({ proof: Proof })
export const Renewal = Type.Object({ enrollment_jwt: Type.String() })
export const KeysBody = Type.Object({ publicKeysJwk: FreeObject, proof: Proof })
export const DoneReply = Type.Object({ success: Type.Literal(true) })
