import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The domain checks the values. Exactly one of the ids is needed. */
export const NewShareBody = Type.Object({
  item_id: Type.Optional(Type.String()),
  album_id: Type.Optional(Type.String()),
  collection_id: Type.Optional(Type.String()),
  /** ISO 8601. Absent or null: in seven days. */
  expires_at: Type.Optional(Nullable(Type.String())),
  password: Type.Optional(Nullable(Type.String())),
  /** Absent or null: any number. */
  max_uses: Type.Optional(Nullable(Type.Integer())),
  allow_download: Type.Optional(Type.Boolean()),
})

export const ShareRow = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  username: Type.String(),
  /** `item`, `album`, `photo_album` or `collection`. */
  kind: Type.String(),
  subject_id: Nullable(Type.String()),
  title: Nullable(Type.String()),
  has_password: Type.Boolean(),
  allow_download: Type.Boolean(),
  max_uses: Nullable(Type.Integer()),
  uses: Type.Integer(),
  created_at: Type.String(),
  expires_at: Type.String(),
  last_used_at: Nullable(Type.String()),
  last_address: Nullable(Type.String()),
})

export const NewShare = Type.Object({ ...ShareRow.properties, url: Type.String() })

export const ShareList = Type.Object({ shares: Type.Array(ShareRow) })

export const OpenBody = Type.Object({ token: Type.String(), password: Type.Optional(Nullable(Type.String())) })

export const Opened = Type.Object({ id: Type.String(), expires_at: Type.String() })
