import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { AccessBody } from './read-limits.ts'
import { AccountRow } from '../accounts/accounts.schemas.ts'

export const UsersQuery = Type.Object({ status: Type.Optional(Type.String()) })

/** The domain validates the fields, because it reports all errors at once. */
export const NewUserBody = Type.Object({
  username: Type.Optional(Type.Unknown()),
  email: Type.Optional(Type.Unknown()),
  password: Type.Optional(Type.Unknown()),
  is_admin: Type.Optional(Type.Boolean()),
})

export const UserChangesBody = Type.Object({
  username: Type.Optional(Type.Unknown()),
  email: Type.Optional(Type.Unknown()),
  password: Type.Optional(Type.Unknown()),
})

export const AdministratorBody = Type.Object({ is_admin: Type.Boolean() })

/** What an account may see. */
export const Access = Type.Object({
  library_ids: Nullable(Type.Array(Type.String())),
  max_age: Nullable(Type.Integer()),
  allow_unrated: Type.Boolean(),
  blocked_tags: Type.Array(Type.String()),
  allowed_tags: Type.Array(Type.String()),
})

const STREAMS = {
  max_concurrent_streams: Nullable(Type.Integer()),
  max_total_bandwidth_kbps: Nullable(Type.Integer()),
}

export const OneAccess = Type.Object({
  access: Type.Object({ ...Access.properties, can_download: Type.Boolean(), ...STREAMS }),
})

/** Absent limits stay; null removes one. */
export const AllLimitsBody = Type.Object({
  ...AccessBody.properties,
  can_download: Type.Optional(Type.Boolean()),
  max_concurrent_streams: Type.Optional(STREAMS.max_concurrent_streams),
  max_total_bandwidth_kbps: Type.Optional(STREAMS.max_total_bandwidth_kbps),
})

export const Users = Type.Object({ users: Type.Array(AccountRow) })
export const User = Type.Object({ user: AccountRow })
export const CreatedUser = Type.Object({ user_id: Type.String(), message: Type.String() })
export const NewPassword = Type.Object({ message: Type.String(), new_password: Type.String() })
