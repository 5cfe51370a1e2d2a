import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'

const MAX_NAME_LENGTH = 100

/** Text that the database can store: without NUL and lone surrogates. */
export const STORABLE_TEXT = '^[^\\u0000\\ud800-\\udfff]*$'

/** Addresses at which a home server may be reached without the hub. */
export const ServerUrlCandidates = Type.Array(
  Type.String({ maxLength: 300, pattern: '^https?://[^\\s/?#@\\\\\\u0000-\\u001f\\ud800-\\udfff]{1,280}/?$' }),
  {
    maxItems: 16,
  },
)

export const ServerVersion = Type.String({ minLength: 1, maxLength: 40, pattern: STORABLE_TEXT })

export const NewClaimBody = Type.Object({
  serverName: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: STORABLE_TEXT }),
  version: ServerVersion,
  publicKeysJwk: FreeObject,
  hostnameCandidates: Type.Optional(ServerUrlCandidates),
  protocolVersion: Type.Optional(Type.String({ maxLength: 20 })),
  proof: Type.Optional(Type.String({ maxLength: 4096 })),
})

export const NewClaim = Type.Object({
  claimCode: Type.String(),
  claimId: Type.String(),
  expiresIn: Type.Integer(),
  hubBaseUrl: Type.String(),
})

export const ClaimBody = Type.Object({ claim_code: Type.String({ maxLength: 40 }) })

export const EnrolledServerReply = Type.Object({
  enrollment_jwt: Type.String(),
  hub_jwks_url: Type.String(),
  server_id: Type.String(),
})

export const ClaimState = Type.Object({
  status: Type.Union([Type.Literal('pending'), Type.Literal('claimed')]),
  enrollment_jwt: Type.Optional(Type.String()),
  hub_jwks_url: Type.Optional(Type.String()),
  server_id: Type.Optional(Type.String()),
  hub_base_url: Type.Optional(Type.String()),
  tunnel_port: Type.Optional(Type.Integer()),
})
