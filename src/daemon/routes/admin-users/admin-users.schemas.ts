import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
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

const Access = Type.Object({
  library_ids: Nullable(Type.Array(Type.String())),
  max_age: Nullable(Type.Integer()),
  allow_unrated: Type.Boolean(),
  blocked_tags: Type.Array(Type.String()),
  allowed_tags: Type.Array(Type.String()),
})

export const OneAccess = Type.Object({ access: Access })

/** Absent limits stay; null removes one, and so does an empty list of tags. `max_rating` is a content rating instead of an age. */
export const AccessBody = Type.Object({
  library_ids: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 10_000 }))),
  max_age: Type.Optional(Nullable(Type.Integer())),
  max_rating: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  allow_unrated: Type.Optional(Type.Boolean()),
  blocked_tags: Type.Optional(Type.Array(Type.String(), { maxItems: 500 })),
  allowed_tags: Type.Optional(Type.Array(Type.String(), { maxItems: 500 })),
})

export const Users = Type.Object({ users: Type.Array(AccountRow) })
export const User = Type.Object({ user: AccountRow })
export const CreatedUser = Type.Object({ user_id: Type.String(), message: Type.String() })
export const NewPassword = Type.Object({ message: Type.String(), new_password: Type.String() })
