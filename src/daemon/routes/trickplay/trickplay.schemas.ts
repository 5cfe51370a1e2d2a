import { Type } from 'typebox'
import { SignatureQuery } from '../../http/schemas.ts'

export const TrickplayFileParameters = Type.Object({ id: Type.String(), file: Type.String() })

/** `v` is the version of the pictures, so that they can be cached for a long time. */
export const TrickplayFileQuery = Type.Object({ ...SignatureQuery.properties, v: Type.Optional(Type.String()) })

export const ChapterPictureParameters = Type.Object({ id: Type.String(), number: Type.String() })

const TimelineRow = Type.Object({
  /** Time in the film. */
  seconds: Type.Number(),
  /** Number of the picture in the sprite, by rows. */
  frame: Type.Integer(),
})

const Grid = Type.Object({
  url: Type.String(),
  /** Time in the film of its first picture. */
  start_seconds: Type.Number(),
  /** Its pictures; the remaining cells are black. */
  count: Type.Integer(),
})

export const Timeline = Type.Object({ timeline: Type.Array(TimelineRow) })

export const ItemTrickplay = Type.Object({
  item_id: Type.String(),
  /** One picture of the whole film. */
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
  /** Of all files of the film. */
  thumbnail_count: Type.Integer(),
  grids: Type.Array(Grid),
  /** Of the item's own file. */
  index_url: Type.String(),
  vtt_url: Type.String(),
  bif_url: Type.String(),
  playlist_url: Type.String(),
})
