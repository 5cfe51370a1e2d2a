import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { Access } from '../admin-users/admin-users.schemas.ts'
import { AccessBody } from '../admin-users/read-limits.ts'

/** The domain checks the values. */
export const NewInviteBody = Type.Object({
  ...AccessBody.properties,
  /** ISO 8601. */
  expires_at: Type.String(),
  max_uses: Type.Optional(Type.Integer()),
})

const Invite = Type.Object({
  id: Type.String(),
  created_at: Type.String(),
  expires_at: Type.String(),
  access: Access,
  max_uses: Type.Integer(),
  uses: Type.Integer(),
  used_at: Nullable(Type.String()),
  used_by: Nullable(Type.String()),
  usernames: Type.Array(Type.String()),
})

export const NewInvite = Type.Object({ id: Type.String(), url: Type.String(), invite: Invite })

export const InviteList = Type.Object({ invites: Type.Array(Invite) })
