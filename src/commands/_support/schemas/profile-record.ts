import { flag, natural, object, orNull, text, texts, time } from './shapes.ts'

/** A profile, as commands print it. */
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
  can_download: flag,
  has_pin: flag,
  pin_required_for_admin: flag,
  created_at: time,
  updated_at: time,
})
