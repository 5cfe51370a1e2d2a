import { Type } from 'typebox'

/** What is not named here never leaves the server: there is no `d`. */
export const PublicKeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: Type.String(),
      kid: Type.String(),
      use: Type.Literal('sig'),
      alg: Type.Literal('EdDSA'),
    }),
  ),
})
