import { Type } from 'typebox'
import { PageQuery, QueryInteger } from '../../http/schemas.ts'
import { IncludeQuery, ItemConditions, MediaItemRow, MediaListQuery, MediaListRow } from './media.schemas.ts'

export const FacetsQuery = Type.Object({ libraryId: Type.Optional(Type.String()) })

export const FilterValues = Type.Object({ genres: Type.Array(Type.String()), ratings: Type.Array(Type.String()) })

export const LetterIndex = Type.Object({
  letters: Type.Array(Type.Object({ letter: Type.String(), offset: Type.Integer(), count: Type.Integer() })),
  total: Type.Integer(),
})

export const ListIndexQuery = Type.Object({
  ...ItemConditions.properties,
  field: Type.Optional(Type.String()),
  order: Type.Optional(Type.String()),
})

export const ListIndex = Type.Object({
  field: Type.String(),
  buckets: Type.Array(
    Type.Object({ key: Type.String(), label: Type.String(), offset: Type.Integer(), count: Type.Integer() }),
  ),
  total: Type.Integer(),
})

export const MostWatchedQuery = Type.Object({ ...PageQuery.properties, ...IncludeQuery.properties })

export const SearchQuery = Type.Object({ ...MediaListQuery.properties, q: Type.Optional(Type.String()) })

export const SearchResult = Type.Object({
  items: Type.Array(MediaListRow),
  query: Type.String(),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

/** `position` in milliseconds, `around` in seconds. */
export const MarkerQuery = Type.Object({
  type: Type.Union([Type.Literal('intro'), Type.Literal('outro'), Type.Literal('credits'), Type.Literal('ad')]),
  position: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  around: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(QueryInteger),
})

export const MarkerResult = Type.Object({
  items: Type.Array(MediaItemRow),
  marker_type: Type.String(),
  around: Type.Integer(),
  position: Type.Integer(),
})
