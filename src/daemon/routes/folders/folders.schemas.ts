import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const FoldersQuery = Type.Object({ path: Type.Optional(Type.String()) })

const Entry = Type.Object({
  name: Type.String(),
  path: Type.String(),
  type: Type.Literal('directory'),
  size: Type.Integer(),
  modified: Type.String(),
})

export const Folders = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    path: Nullable(Type.String()),
    parent: Nullable(Type.String()),
    entries: Type.Array(Entry),
    truncated: Type.Boolean(),
  }),
})
