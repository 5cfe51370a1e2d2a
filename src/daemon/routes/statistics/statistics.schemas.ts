import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'

const limit = Type.Optional(QueryInteger)

/** Dates or durations; the domain validates them. */
export const SeriesQuery = Type.Object({ from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) })

export const TopQuery = Type.Object({ limit, since: Type.Optional(Type.String()) })

export const StorageQuery = Type.Object({ days: Type.Optional(QueryInteger) })

export const DashboardTopQuery = Type.Object({ limit, days: Type.Optional(QueryInteger) })

export const ActivityQuery = Type.Object({ limit })

const PlayDayRow = Type.Object({
  date: Type.String(),
  play_count: Type.Integer(),
  total_duration: Type.Integer(),
  completed_count: Type.Integer(),
})

const TopUserRow = Type.Object({
  user_id: Type.String(),
  total_watch_time: Type.Integer(),
  play_count: Type.Integer(),
})

const TopItemRow = Type.Object({
  media_item_id: Type.String(),
  play_count: Type.Integer(),
  total_duration: Type.Integer(),
})

const StorageRow = Type.Object({
  id: Type.String(),
  recorded_at: Type.String(),
  library_id: Type.String(),
  library_name: Type.String(),
  media_type: Type.String(),
  item_count: Type.Integer(),
  total_bytes: Type.Integer(),
  transcode_cache_bytes: Type.Integer(),
})

const NowPlayingRow = Type.Object({
  session_id: Type.String(),
  user_id: Type.String(),
  username: Type.String(),
  user_name: Type.String(),
  profile_name: Type.String(),
  media_item_id: Type.String(),
  media_title: Type.String(),
  title: Type.String(),
  media_type: Type.String(),
  device_name: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
  status: Type.String(),
  is_paused: Type.Boolean(),
  position_ticks: Type.Integer(),
  duration_ticks: Nullable(Type.Integer()),
  started_at: Type.String(),
  updated_at: Type.String(),
})

const DashboardUserRow = Type.Object({
  ...TopUserRow.properties,
  username: Type.String(),
  user_name: Type.String(),
  total_watch_time_seconds: Type.Integer(),
})

const DashboardItemRow = Type.Object({
  ...TopItemRow.properties,
  media_title: Type.String(),
  title: Type.String(),
  media_type: Type.String(),
})

const ActivityRow = Type.Object({
  id: Type.String(),
  action: Type.String(),
  actor: Type.String(),
  user_id: Nullable(Type.String()),
  username: Nullable(Type.String()),
  user_name: Nullable(Type.String()),
  target: Type.String(),
  media_item_id: Nullable(Type.String()),
  media_title: Nullable(Type.String()),
  title: Type.String(),
  created_at: Type.String(),
  occurred_at: Type.String(),
})

export const PlayDays = Type.Object({ data: Type.Array(PlayDayRow) })
export const TopUsers = Type.Object({ data: Type.Array(TopUserRow) })
export const TopItems = Type.Object({ data: Type.Array(TopItemRow) })
export const Storage = Type.Object({ data: Type.Array(StorageRow) })

const success = Type.Literal(true)

export const NowPlayingReply = Type.Object({ success, data: Type.Array(NowPlayingRow) })
export const DashboardUsers = Type.Object({ success, data: Type.Array(DashboardUserRow) })
export const DashboardItems = Type.Object({ success, data: Type.Array(DashboardItemRow) })
export const DashboardStorage = Type.Object({ success, data: Type.Array(StorageRow) })
export const DashboardActivity = Type.Object({ success, data: Type.Array(ActivityRow) })
