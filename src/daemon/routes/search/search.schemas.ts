import { Type, type TSchema } from 'typebox'
import { QueryInteger } from '../../http/schemas.ts'
import { CollectionRow } from '../collections/collections.schemas.ts'
import { MediaListRow } from '../media/media.schemas.ts'
import { AlbumRow, ArtistRow } from '../music/music.schemas.ts'

export const SearchQuery = Type.Object({ q: Type.Optional(Type.String()), limit: Type.Optional(QueryInteger) })

/** The best matches of one kind. */
const Group = <Row extends TSchema>(row: Row) => Type.Object({ items: Type.Array(row), has_more: Type.Boolean() })

const Items = Group(MediaListRow)

export const SearchResults = Type.Object({
  query: Type.String(),
  limit: Type.Integer(),
  movies: Items,
  series: Items,
  episodes: Items,
  tracks: Items,
  audiobooks: Items,
  books: Items,
  photos: Items,
  artists: Group(ArtistRow),
  albums: Group(AlbumRow),
  collections: Group(CollectionRow),
})
