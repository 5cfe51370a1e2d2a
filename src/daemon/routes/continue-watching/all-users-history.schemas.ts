import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

export const WatchHistoryQuery = Type.Object({
  limit: Type.Optional(QueryInteger),
  userId: Type.Optional(Type.String()),
  libraryId: Type.Optional(Type.String()),
})

const WatchedRow = Type.Object({
  id: Type.String(),
  media_item_id: Type.String(),
  media_name: Type.String(),
  media_type: Type.String(),
  library_id: Type.String(),
  user_id: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  profile_name: Type.String(),
  last_watched_at: Type.String(),
  completed_at: Nullable(Type.String()),
  playback_status: Type.String(),
  progress_percent: Type.Number(),
})

/** Without `success`: with it the console client would look for `data` inside `data`. */
export const WatchHistory = Type.Object({ data: Type.Array(WatchedRow), count: Type.Integer() })
