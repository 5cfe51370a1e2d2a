import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { ChapterRow } from '../subtitles/subtitles.schemas.ts'

const Ticks = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A position on the time line, in ticks of 100 ns: only the markers that contain it are returned. */
export const PositionQuery = Type.Object({ position: Type.Optional(Ticks) })

/** The parts that the player page offers to skip. */
export const MarkerRow = Type.Object({
  type: Type.String(),
  title: Type.String(),
  start_seconds: Type.Integer(),
  end_seconds: Type.Integer(),
  start_ms: Type.Integer(),
  end_ms: Type.Integer(),
  source: Type.String(),
  confidence: Type.Number(),
})

/** A marker with the keys that other clients read. */
export const NamedMarkerRow = Type.Object({
  ...MarkerRow.properties,
  label: Type.String(),
  start: Type.Integer(),
  end: Type.Integer(),
  startMs: Type.Integer(),
  endMs: Type.Integer(),
})

export const MarkerList = Type.Object({
  markers: Type.Array(NamedMarkerRow),
  intro: Nullable(NamedMarkerRow),
  outro: Nullable(NamedMarkerRow),
  chapters: Type.Array(ChapterRow),
})

export const ShowMarkers = Type.Object({
  show_id: Type.String(),
  episodes: Type.Array(
    Type.Object({
      item_id: Type.String(),
      name: Type.String(),
      markers: Type.Array(NamedMarkerRow),
      intro: Nullable(NamedMarkerRow),
      outro: Nullable(NamedMarkerRow),
    }),
  ),
})

const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })
const Milliseconds = Type.Integer({ minimum: 0, maximum: 86_400_000 })

/** A range in seconds or in milliseconds. */
const Range = Type.Object({
  start_seconds: Type.Optional(Seconds),
  end_seconds: Type.Optional(Seconds),
  start_ms: Type.Optional(Milliseconds),
  end_ms: Type.Optional(Milliseconds),
})

/** Types that are not in the list stay as they are. */
export const MarkersBody = Type.Object({
  markers: Type.Array(
    Type.Object({
      type: Type.Union(['intro', 'outro', 'recap', 'preview'].map((type) => Type.Literal(type))),
      ...Range.properties,
      /** True: the film has no such part. */
      none: Type.Optional(Type.Boolean()),
    }),
    { maxItems: 4 },
  ),
})
