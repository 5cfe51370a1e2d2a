import { Type } from 'typebox'
import { FreeObject, Nullable, PageQuery, QueryInteger } from '../../http/schemas.ts'

const Words = Type.Optional(Type.Array(Type.String()))
const Word = Type.Optional(Type.String())

/** Filters of a list of items. */
export const ItemConditions = Type.Object({
  libraryId: Word,
  parentId: Word,
  topLevel: Word,
  search: Word,
  genres: Words,
  ratings: Words,
  actors: Words,
  companies: Words,
  types: Words,
  yearFrom: Type.Optional(QueryInteger),
  yearTo: Type.Optional(QueryInteger),
  match: Word,
  minRating: Word,
  maxRating: Word,
})

/** Additions to the rows of a list. */
export const IncludeQuery = Type.Object({ include: Type.Optional(Type.Array(Type.Literal('user_data'))) })

/** `download=1`: the file is saved under its name instead of played. */
export const StreamQuery = Type.Object({ download: Type.Optional(Type.String()) })

export const MediaListQuery = Type.Object({
  ...IncludeQuery.properties,
  ...ItemConditions.properties,
  ...PageQuery.properties,
  sort: Word,
  order: Word,
})

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())
const Texts = Type.Array(Type.String())
/**
 * URLs of pictures, the longest texts of a row. They never contain characters that JSON must escape, so the serializer need not search for
 * them (fast-json-stringify).
 */
const PictureAddress = Nullable(Type.String({ format: 'unsafe' }))

/** The row of every list of items. */
export const MediaItemRow = Type.Object({
  id: Type.String(),
  library_id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  sort_title: Type.String(),
  path: NullableText,
  poster_url: PictureAddress,
  poster_srcset: PictureAddress,
  backdrop_url: PictureAddress,
  backdrop_srcset: PictureAddress,
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

/** The user's own data of an item. */
export const UserData = Type.Object({
  favorite: Type.Boolean(),
  rating: NullableWhole,
  like_level: Type.Integer(),
  watched: Type.Boolean(),
})

/** A row; with `include=user_data` also the user's own data, the position in ticks of 100 ns, and the number of unwatched episodes. */
export const MediaListRow = Type.Object({
  ...MediaItemRow.properties,
  user_data: Type.Optional(
    Type.Object({
      ...UserData.properties,
      position_ticks: Type.Integer(),
      duration_ticks: NullableWhole,
      progress_percent: Type.Number(),
      unwatched_episodes: NullableWhole,
    }),
  ),
})

export const MediaList = Type.Object({
  items: Type.Array(MediaListRow),
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

const Person = { name: Type.String(), profile_url: NullableText }

/** Keys of the detail in addition to the keys of a row. */
const MediaItemFull = Type.Object({
  ...MediaItemRow.properties,
  /** Set for episodes and seasons. Clients read the name under both keys. */
  series_id: NullableText,
  series_name: NullableText,
  series_title: NullableText,
  original_title: NullableText,
  tagline: NullableText,
  release_date: NullableText,
  vote_average: Nullable(Type.Number()),
  vote_count: Nullable(Type.Number()),
  cast: Type.Array(Type.Object({ ...Person, role: NullableText })),
  crew: Type.Array(Type.Object({ ...Person, job: NullableText })),
  tags: Texts,
  production_companies: Type.Array(
    Type.Object({ name: Type.String(), logo_url: NullableText, origin_country: NullableText }),
  ),
  studio: NullableText,
  backdrop_url_large: NullableText,
  logo_url: NullableText,
  theme_audio_url: NullableText,
  trailer_url: NullableText,
  trailer_key: NullableText,
  trailer_site: NullableText,
  external_ids: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  container: NullableText,
  bitrate: NullableWhole,
  probe_error: NullableText,
  stream_url: NullableText,
  streams: Type.Array(StreamRow),
  metadata: FreeObject,
  /** Administrators only. */
  files: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String(),
        size_bytes: NullableWhole,
        container: NullableText,
        codec: NullableText,
        resolution: NullableText,
      }),
    ),
  ),
  user_data: UserData,
})

/** The keys at the top level, and again under `item`. */
export const MediaItemDetail = Type.Object({ ...MediaItemFull.properties, item: MediaItemFull })
