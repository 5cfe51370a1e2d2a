import { Type } from 'typebox'

/** `percent_complete` tells what the position counts from; `completed_chapters`, which clients send too, is worked out and not read. */
export const SaveProgressBody = Type.Object({
  position_ms: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  current_chapter_index: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  percent_complete: Type.Optional(Type.Unknown()),
})

/** `position_ms` counts as the client counts that saved it. */
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

/** The bare keys, and the same object under `progress` (document 4, 0.7). */
export const AudiobookProgress = Type.Object({ ...ProgressObject.properties, progress: ProgressObject })

/** Document 4, 0.8. */
export const SavedProgress = Type.Object({
  ok: Type.Boolean(),
  percent_complete: Type.Number(),
  message: Type.String(),
  progress: ProgressObject,
})
