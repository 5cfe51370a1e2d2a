import { Type } from 'typebox'
import { OIDC_CLIENTS } from '../../../core/oidc/index.ts'
import { Nullable } from '../../http/schemas.ts'

export const StartQuery = Type.Object({
  client: Type.Enum([...OIDC_CLIENTS]),
  /** S256 of the verifier (RFC 7636, 4.2). */
  challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
  /** `login`: the person has to sign in at the provider again. */
  prompt: Type.Optional(Type.Literal('login')),
})

export const CodeBody = Type.Object({ code: Type.String(), verifier: Type.String() })

export const LinkBody = Type.Object({
  ...CodeBody.properties,
  /** The provider's id of the person whom the user has confirmed. */
  subject: Type.Optional(Type.String()),
})

/** Providers send further fields. */
export const LogoutTokenBody = Type.Object({ logout_token: Type.String() })

export const SignInOptions = Type.Object({
  password: Type.Boolean(),
  oidc: Nullable(Type.Object({ name: Type.String(), start_path: Type.String() })),
  /** Whether the server has no account yet: the next registration makes its administrator. */
  needs_first_account: Type.Boolean(),
})
