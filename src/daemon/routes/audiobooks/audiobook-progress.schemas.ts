import { Type } from 'typebox'

/**
 * `percent_complete` determines whether the position is relative to the chapter or to the book. `completed_chapters`, which clients send
 * too, is computed and not read.
 */
export const SaveProgressBody = Type.Object({
  position_ms: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  current_chapter_index: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  percent_complete: Type.Optional(Type.Unknown()),
})

/** `position_ms` is relative to the same origin as in the client's request. */
export const ProgressObject = Type.Object({
  audiobook_id: Type.String(),
  user_id: Type.String(),
  position_ms: Type.Integer(),
  chapter_position_ms: Type.Integer(),
  book_position_ms: Type.Integer(),
  current_chapter_index: Type.Integer(),
  completed_chapters: Type.Array(Type.Integer()),
  percent_complete: Type.Number(),
  /** Unix seconds. */
  last_played_at: Type.Integer(),
})

/** The keys at the top level, and again under `progress`. */
export const AudiobookProgress = Type.Object({ ...ProgressObject.properties, progress: ProgressObject })

export const SavedProgress = Type.Object({
  ok: Type.Boolean(),
  percent_complete: Type.Number(),
  message: Type.String(),
  progress: ProgressObject,
})
