import { Type } from 'typebox'
import { GROUP_LIMITS } from '../../../core/watch-together/index.ts'
import { FreeObject, Nullable } from '../../http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: GROUP_LIMITS.nameLength })

/** Clients spell the keys in two ways. `memberId` is accepted and not read: a member is known by its token. */
const Joining = {
  memberName: Type.Optional(Type.String({ minLength: 1, maxLength: GROUP_LIMITS.memberNameLength })),
  memberId: Type.Optional(Type.Unknown()),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

export const CreateGroupBody = Type.Object({
  ...Joining,
  name: Name,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  isPublic: Type.Optional(Type.Boolean()),
  is_public: Type.Optional(Type.Boolean()),
})

export const JoinGroupBody = Type.Optional(Type.Object(Joining))

export const LeaveGroupBody = Type.Optional(Type.Object({ memberId: Type.Optional(Type.Unknown()) }))

export const GroupList = Type.Object({
  groups: Type.Array(
    Type.Object({
      id: Type.String(),
      group_id: Type.String(),
      name: Type.String(),
      group_name: Type.String(),
      description: Type.String(),
      member_count: Type.Integer(),
      member_names: Type.Array(Type.String()),
      has_password: Type.Boolean(),
      is_public: Type.Boolean(),
      current_media: Nullable(Type.String()),
      is_playing: Type.Boolean(),
      created_at: Type.Integer(),
    }),
  ),
})

export const OneGroup = Type.Object({ group: FreeObject })

export const JoinedGroup = Type.Object({
  success: Type.Literal(true),
  group: FreeObject,
  your_id: Type.String(),
  resume_token: Type.String(),
})

export const LeftGroup = Type.Object({ success: Type.Literal(true), message: Type.String() })
