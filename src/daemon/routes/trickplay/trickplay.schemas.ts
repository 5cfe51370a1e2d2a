import { Type } from 'typebox'
import { SignatureQuery } from '../../http/schemas.ts'

export const TrickplayFileParameters = Type.Object({ id: Type.String(), file: Type.String() })

/** `v` is the version of the thumbnails. The URL changes with them, so that clients can cache the files for a long time. */
export const TrickplayFileQuery = Type.Object({ ...SignatureQuery.properties, v: Type.Optional(Type.String()) })

export const ChapterPictureParameters = Type.Object({ id: Type.String(), number: Type.String() })

const TimelineRow = Type.Object({
  /** Time in the film that the thumbnail shows. */
  seconds: Type.Number(),
  /** Number of the thumbnail in the sprite, from 0, row by row. */
  frame: Type.Integer(),
})

const Grid = Type.Object({
  url: Type.String(),
  /** Time in the film that the first thumbnail shows. */
  start_seconds: Type.Number(),
  /** Number of thumbnails in the grid; the remaining cells are black. */
  count: Type.Integer(),
})

export const Timeline = Type.Object({ timeline: Type.Array(TimelineRow) })

export const ItemTrickplay = Type.Object({
  item_id: Type.String(),
  /** A single sprite image with thumbnails from the whole film. */
  sprite_url: Type.String(),
  sprite_columns: Type.Integer(),
  sprite_rows: Type.Integer(),
  ...Timeline.properties,
  timeline_url: Type.String(),
  interval_seconds: Type.Number(),
  thumbnail_width: Type.Integer(),
  thumbnail_height: Type.Integer(),
  columns: Type.Integer(),
  rows: Type.Integer(),
  /** Number of thumbnails of all files of the film. */
  thumbnail_count: Type.Integer(),
  grids: Type.Array(Grid),
  /** Index of the thumbnails of the item's own file; the other URLs cover all files of the film. */
  index_url: Type.String(),
  vtt_url: Type.String(),
  bif_url: Type.String(),
  playlist_url: Type.String(),
})
