import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

const Member = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  type: Type.String(),
  year: Nullable(Type.Integer()),
  season_number: Nullable(Type.Integer()),
  episode_number: Nullable(Type.Integer()),
  path: Type.String(),
  size_bytes: Type.Number(),
  duration: Nullable(Type.Number()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  created_at: Type.String(),
  descendant_count: Type.Integer(),
})

export const Duplicates = Type.Object({
  groups: Type.Array(
    Type.Object({
      canonical_key: Type.String(),
      type: Type.String(),
      library_id: Type.String(),
      primary: Member,
      duplicates: Type.Array(Member),
    }),
  ),
})

/** All keys are optional here, because the domain reports which of them is missing. */
export const MergeBody = Type.Object({
  primary_id: Type.Optional(Type.String()),
  duplicate_ids: Type.Optional(Type.Array(Type.String())),
})

export const MergedDuplicatesReply = Type.Object({
  moved: Type.Integer(),
  deleted: Type.Integer(),
  message: Type.String(),
})
