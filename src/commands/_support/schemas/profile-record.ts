import { flag, listOf, natural, object, orNull, text, texts, time } from './shapes.ts'

/** How much an account or a profile may play at a time. */
export const streamLimits = object({
  max_concurrent_streams: orNull(natural),
  max_total_bandwidth_kbps: orNull(natural),
})

/** The times in which an account or a profile may play. */
export const schedules = listOf(
  object({
    id: text,
    name: text,
    start_time: text,
    end_time: text,
    days_of_week: texts,
    time_zone: orNull(text),
    is_active: flag,
  }),
)

/** A profile with its own limits, as commands print it. */
export const profile = object({
  id: text,
  user_id: text,
  name: text,
  avatar: orNull(text),
  is_main: flag,
  is_kids: flag,
  rating: natural,
  content_rating: text,
  max_age: orNull(natural),
  allow_unrated: flag,
  library_ids: orNull(texts),
  blocked_tags: texts,
  allowed_tags: texts,
  can_download: flag,
  stream_limits: streamLimits,
  schedules,
  has_pin: flag,
  pin_required_for_admin: flag,
  created_at: time,
  updated_at: time,
})
