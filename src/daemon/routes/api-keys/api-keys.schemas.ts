import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The domain checks the values. */
export const NewKeyBody = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  /** ISO 8601. Absent or null: the key does not expire. */
  expires_at: Type.Optional(Nullable(Type.String())),
})

export const NewKey = Type.Object({ id: Type.String(), key: Type.String() })

export const KeyList = Type.Object({
  api_keys: Type.Array(
    Type.Object({
      id: Type.String(),
      user_id: Type.String(),
      username: Type.String(),
      name: Type.String(),
      hint: Type.String(),
      scopes: Type.Array(Type.String()),
      created_at: Type.String(),
      expires_at: Nullable(Type.String()),
      last_used_at: Nullable(Type.String()),
      last_address: Nullable(Type.String()),
    }),
  ),
})
