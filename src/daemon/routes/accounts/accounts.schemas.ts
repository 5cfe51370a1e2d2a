import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The domain validates the fields, because it reports all errors at once. */
export const RegisterBody = Type.Object({
  email: Type.Optional(Type.Unknown()),
  username: Type.Optional(Type.Unknown()),
  password: Type.Optional(Type.Unknown()),
  /** Needed for the first account when it is created from another machine. */
  setup_code: Type.Optional(Type.String()),
  invite_code: Type.Optional(Type.String()),
})

export const InviteBody = Type.Object({ invite_code: Type.String() })

/** An invite that can be used. */
export const InviteSummary = Type.Object({ expires_at: Type.String() })

/** `username` is a user name or an e-mail address. Some clients send `email` in addition or instead. */
export const LoginBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.String(),
  /** The device, for clients that do not describe it in headers. */
  device_id: Type.Optional(Type.String()),
  device_name: Type.Optional(Type.String()),
  device_type: Type.Optional(Type.String()),
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

/** The profile in use. */
export const SessionProfile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_main: Type.Boolean(),
  is_kids: Type.Boolean(),
  is_restricted: Type.Boolean(),
  can_download: Type.Boolean(),
})

/** The reply to the web page, whose refresh token is in a cookie. */
export const PageSignedIn = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  user: User,
  profile: SessionProfile,
})

/** The common reply of login, register and refresh. */
export const SignInReply = Type.Object({ ...PageSignedIn.properties, refresh_token: Type.String() })

/** The reply to a switch of the profile. A session of the web page gets no refresh token. */
export const Switched = Type.Object({ ...PageSignedIn.properties, refresh_token: Type.Optional(Type.String()) })

/** Reply to a registration that needs the approval of an administrator. */
export const PendingRegistration = Type.Object({ status: Type.Literal('pending'), message: Type.String() })

export const AccountRow = Type.Object({
  ...User.properties,
  created_at: Type.String(),
  updated_at: Type.String(),
  last_login: Nullable(Type.String()),
})

/** An account after a change. */
export const OneAccount = Type.Object({ user: AccountRow })

export const OwnAccount = Type.Object({ user: AccountRow, profile: SessionProfile })
