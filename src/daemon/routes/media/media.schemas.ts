import { Type } from 'typebox'
import { FreeObject, Nullable, PageQuery } from '../../http/schemas.ts'

/** `topLevel` is `1` or `true`; anything else is off (document 1, Media catalogue). */
export const MediaListQuery = Type.Object({
  ...PageQuery.properties,
  libraryId: Type.Optional(Type.String()),
  parentId: Type.Optional(Type.String()),
  topLevel: Type.Optional(Type.String()),
  search: Type.Optional(Type.String()),
  sort: Type.Optional(Type.String()),
  order: Type.Optional(Type.String()),
})

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())
const Texts = Type.Array(Type.String())

/** The row of every list of items (document 4, 2.2). */
export const MediaItemRow = Type.Object({
  id: Type.String(),
  library_id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  sort_title: Type.String(),
  path: NullableText,
  poster_url: NullableText,
  poster_srcset: NullableText,
  backdrop_url: NullableText,
  backdrop_srcset: NullableText,
  genres: Texts,
  year: NullableWhole,
  rating: NullableText,
  /** Minutes. */
  runtime: NullableWhole,
  /** Seconds. */
  duration: NullableWhole,
  overview: NullableText,
  actors: Texts,
  director: NullableText,
  parent_id: NullableText,
  season_number: NullableWhole,
  episode_number: NullableWhole,
  episode_title: NullableText,
  air_date: NullableText,
  artist: NullableText,
  album: NullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
})

export const MediaList = Type.Object({
  items: Type.Array(MediaItemRow),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

export const StreamRow = Type.Object({
  id: Type.String(),
  media_item_id: Type.String(),
  stream_index: Type.Integer(),
  stream_type: Type.String(),
  codec: NullableText,
  language: NullableText,
  title: NullableText,
  bitrate: NullableWhole,
  width: NullableWhole,
  height: NullableWhole,
  channels: NullableWhole,
  is_default: Type.Boolean(),
})

/** What the caller has said about an item (document 1, user_data; `watched`: document 4, 2.3). */
export const UserData = Type.Object({
  favorite: Type.Boolean(),
  rating: NullableWhole,
  like_level: Type.Integer(),
  watched: Type.Boolean(),
})

/** The detail's own keys beside those of a row (document 4, 2.3). */
const MediaItemFull = Type.Object({
  ...MediaItemRow.properties,
  container: NullableText,
  bitrate: NullableWhole,
  probe_error: NullableText,
  stream_url: NullableText,
  streams: Type.Array(StreamRow),
  metadata: FreeObject,
  user_data: UserData,
})

/** The bare keys, and the same object under `item` (decisions 3.6). */
export const MediaItemDetail = Type.Object({ ...MediaItemFull.properties, item: MediaItemFull })
