import { boolean, arrayOf, nonNegativeInteger, object, orNull, string, strings, timestamp } from './shapes.ts'

/** How much an account or a profile may play at a time. */
export const streamLimits = object({
  max_concurrent_streams: orNull(nonNegativeInteger),
  max_total_bandwidth_kbps: orNull(nonNegativeInteger),
})

/** The times in which an account or a profile may play. */
export const schedules = arrayOf(
  object({
    id: string,
    name: string,
    start_time: string,
    end_time: string,
    days_of_week: strings,
    time_zone: orNull(string),
    is_active: boolean,
  }),
)

/** A profile with its own limits, as commands print it. */
export const profile = object({
  id: string,
  user_id: string,
  name: string,
  avatar: orNull(string),
  is_main: boolean,
  is_kids: boolean,
  rating: nonNegativeInteger,
  content_rating: string,
  max_age: orNull(nonNegativeInteger),
  allow_unrated: boolean,
  library_ids: orNull(strings),
  blocked_tags: strings,
  allowed_tags: strings,
  can_download: boolean,
  stream_limits: streamLimits,
  schedules,
  has_pin: boolean,
  pin_required_for_admin: boolean,
  created_at: timestamp,
  updated_at: timestamp,
})
