import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { STORABLE_TEXT } from './claims.schemas.ts'

const LibraryIds = Type.Union([
  Type.Array(Type.String({ maxLength: 64, pattern: STORABLE_TEXT }), { maxItems: 500 }),
  Type.Null(),
])

export const InviteBody = Type.Object({ server_id: Type.String(), library_ids: Type.Optional(LibraryIds) })

export const NewInvite = Type.Object({
  id: Type.String(),
  code: Type.String(),
  url: Type.String(),
  expires_at: Type.String(),
})

export const Invites = Type.Object({
  invite_links: Type.Array(
    Type.Object({
      id: Type.String(),
      server_id: Type.String(),
      server_name: Type.String(),
      library_ids: LibraryIds,
      created_at: Type.String(),
      expires_at: Type.String(),
      used_at: Nullable(Type.String()),
    }),
  ),
})

export const AcceptBody = Type.Object({ code: Type.String({ maxLength: 200 }) })
export const AcceptedInvite = Type.Object({ server_id: Type.String(), server_name: Type.String() })

export const Shares = Type.Object({
  shares: Type.Array(
    Type.Object({
      id: Type.String(),
      server_id: Type.String(),
      server_name: Type.String(),
      user_id: Type.String(),
      username: Type.String(),
      owner: Type.String(),
      library_ids: LibraryIds,
      created_at: Type.String(),
    }),
  ),
})
