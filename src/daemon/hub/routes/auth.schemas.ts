import { Type } from 'typebox'

export const LoginBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.String(),
})

export const RegisterBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  invite_code: Type.String(),
})

export const RefreshBody = Type.Object({ refresh_token: Type.String() })

export const OwnHubAccount = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Type.String(),
  is_admin: Type.Boolean(),
})

/** The reply to the page of the hub, whose refresh token is in a cookie. */
export const PageSignedIn = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  user: OwnHubAccount,
})

export const HubSignInReply = Type.Object({ ...PageSignedIn.properties, refresh_token: Type.String() })

export const LogoutBody = Type.Object({ refresh_token: Type.Optional(Type.String()) })
