import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** Any body: the domain reports missing fields, because the API fixes the messages. */
export const CeremonyBody = Type.Unknown()

const Descriptor = Type.Object({
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Array(Type.String()),
})

export const RegistrationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    authenticatorAttachment: Nullable(Type.String()),
    residentKey: Type.Boolean(),
    userVerification: Type.Literal('preferred'),
  }),
  attestation: Type.Literal('none'),
})

export const LoginOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  allowCredentials: Type.Array(Descriptor),
  timeout: Type.Integer(),
  userVerification: Type.Literal('preferred'),
})

export const Registered = Type.Object({ credential_id: Type.String(), message: Type.String() })

export const PasskeyList = Type.Object({
  credentials: Type.Array(
    Type.Object({
      credential_id: Type.String(),
      user_id: Type.String(),
      type: Type.Literal('public-key'),
      device_type: Type.String(),
      aaguid: Type.String(),
      registered_at: Type.Integer(),
    }),
  ),
})
