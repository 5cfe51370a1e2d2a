import { Type } from 'typebox'

/** Keys that are not listed here are never sent. In particular there is no `d`, the private key. */
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
