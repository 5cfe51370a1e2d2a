import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** What is missing, weak or no text is judged by the domain, which names all of it at once. */
export const RegisterBody = Type.Object({
  email: Type.Optional(Type.Unknown()),
  username: Type.Optional(Type.Unknown()),
  password: Type.Optional(Type.Unknown()),
  /** For the first account, from another machine. */
  setup_code: Type.Optional(Type.String()),
  invite_code: Type.Optional(Type.String()),
})

/** `username` takes either name; some clients send `email` beside it or instead of it (document 4, 1.2). */
export const LoginBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.String(),
})

export const RefreshBody = Type.Object({ refresh_token: Type.String() })

export const LogoutBody = Type.Object({ refresh_token: Type.Optional(Type.String()) })

const User = Type.Object({
  id: Type.String(),
  email: Type.String(),
  username: Type.String(),
  is_admin: Type.Boolean(),
  display_name: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  status: Type.String(),
})

/** Login, register and refresh answer alike (decisions 3.4, Replies). */
export const SignedIn = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  user: User,
})

/** A registration that waits for an administrator's approval. */
export const Pending = Type.Object({ status: Type.Literal('pending'), message: Type.String() })

export const AccountRow = Type.Object({
  ...User.properties,
  created_at: Type.String(),
  updated_at: Type.String(),
  last_login: Nullable(Type.String()),
})

export const Me = Type.Object({ user: AccountRow })
