import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const AvatarReply = Type.Object({ avatar_url: Nullable(Type.String()), message: Type.String() })

export const AvatarQuery = Type.Object({ v: Type.Optional(Type.String()) })
