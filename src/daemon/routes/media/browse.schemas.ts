import { Type } from 'typebox'
import { ItemConditions, MediaItemRow, MediaListQuery } from './media.schemas.ts'

export const FacetsQuery = Type.Object({ libraryId: Type.Optional(Type.String()) })

export const Facets = Type.Object({ genres: Type.Array(Type.String()), ratings: Type.Array(Type.String()) })

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

export const SearchQuery = Type.Object({ ...MediaListQuery.properties, q: Type.Optional(Type.String()) })

export const SearchResult = Type.Object({
  items: Type.Array(MediaItemRow),
  query: Type.String(),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})
