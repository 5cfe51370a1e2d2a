import { Type } from 'typebox'
import { FreeObject, Nullable, PageQuery, QueryInteger } from '../../http/schemas.ts'

const InLibrary = { library_id: Type.Optional(Type.String()) }

export const AlbumListQuery = Type.Object({ ...PageQuery.properties, ...InLibrary })
export const AlbumQuery = Type.Object(InLibrary)
export const PhotoListQuery = Type.Object({ ...AlbumListQuery.properties, album_id: Type.Optional(Type.String()) })

/** Sizes are clamped. The guard reads `exp` and `sig`. */
export const ThumbnailQuery = Type.Object({
  w: Type.Optional(QueryInteger),
  h: Type.Optional(QueryInteger),
  fit: Type.Optional(Type.Union([Type.Literal('cover'), Type.Literal('contain')])),
})

/** `interval` in seconds. */
export const SlideshowQuery = Type.Object({
  ...InLibrary,
  album_id: Type.Optional(Type.String()),
  interval: Type.Optional(QueryInteger),
})

const PhotoRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  date_taken_unix: Type.Integer(),
  thumbnail_url: Type.String(),
  full_url: Type.String(),
  library_id: Type.String(),
})

const Pagination = Type.Object({ limit: Type.Integer(), offset: Type.Integer(), count: Type.Integer() })

/** Paging keys at the top level, and again as an object that also contains the number of rows in this reply. */
const PageKeys = { limit: Type.Integer(), offset: Type.Integer(), pagination: Pagination }

export const PhotoList = Type.Object({ photos: Type.Array(PhotoRow), ...PageKeys })

export const OnePhoto = Type.Object({
  photo: Type.Object({
    ...PhotoRow.properties,
    path: Nullable(Type.String()),
    exif: FreeObject,
    metadata: FreeObject,
  }),
})

const AlbumRow = Type.Object({
  id: Type.String(),
  date: Type.String(),
  photo_count: Type.Integer(),
  cover_photo: Type.Object({ id: Type.String(), thumbnail_url: Type.String() }),
})

export const AlbumList = Type.Object({ albums: Type.Array(AlbumRow), ...PageKeys })

export const OneAlbum = Type.Object({
  album: Type.Object({ ...AlbumRow.properties, photos: Type.Array(PhotoRow) }),
})

export const Timeline = Type.Object({
  months: Type.Array(Type.Object({ month: Type.String(), count: Type.Integer() })),
  total: Type.Integer(),
})

export const MonthParameters = Type.Object({ month: Type.String() })

/** `ratio`: width by height, null for raw files without a size; `date`: the local date of the place where it was taken. */
export const TimelineMonth = Type.Object({
  month: Type.String(),
  photos: Type.Array(
    Type.Object({
      id: Type.String(),
      ratio: Nullable(Type.Number()),
      date: Type.String(),
      date_taken_unix: Type.Integer(),
      thumbnail_url: Type.String(),
    }),
  ),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

export const Slideshow = Type.Object({
  slideshow: Type.Object({
    album_id: Nullable(Type.String()),
    interval: Type.Integer(),
    photos: Type.Array(
      Type.Object({
        id: Type.String(),
        full_url: Type.String(),
        thumbnail_url: Type.String(),
        caption: Type.String(),
      }),
    ),
  }),
})
