import { toIsoTimestamp } from '../platform/time/index.ts'
import type { StoredLimits } from '../playback-limits/index.ts'
import type { Profile, RankedLimits, SessionProfile } from '../profiles/index.ts'
import { accessView, streamLimitsView } from './account.ts'
import { scheduleView } from './schedule.ts'

/** The profile in use, for replies of a sign-in and for `/auth/me`. */
export function sessionProfileView(profile: SessionProfile) {
  return {
    id: profile.id,
    name: profile.name,
    is_main: profile.isMain,
    is_kids: profile.isKids,
    is_restricted: profile.isRestricted,
    can_download: profile.mayDownload,
  }
}

/** A profile with its own limits. `rating` is the rank that existing clients show, `content_rating` its word. */
export function profileView(profile: Profile, limits: RankedLimits) {
  return {
    id: profile.id,
    user_id: profile.accountId,
    name: profile.name,
    avatar: profile.avatar,
    is_main: profile.isMain,
    is_kids: profile.isKids,
    rating: limits.rank,
    content_rating: limits.word,
    max_age: limits.maxAge,
    allow_unrated: limits.allowsUnrated,
    library_ids: limits.libraryIds === null ? null : [...limits.libraryIds],
    can_download: profile.mayDownload,
    has_pin: profile.hasPin,
    pin_required_for_admin: profile.asksPinForChanges,
    created_at: toIsoTimestamp(profile.createdAt),
    updated_at: toIsoTimestamp(profile.updatedAt),
  }
}

/** A profile with everything by which it is limited itself. */
export function profileDetailView(
  profile: Profile,
  { access, streams, schedules }: StoredLimits & { access: RankedLimits },
) {
  const { blocked_tags, allowed_tags } = accessView(access)
  return {
    ...profileView(profile, access),
    blocked_tags,
    allowed_tags,
    stream_limits: streamLimitsView(streams),
    schedules: schedules.map(scheduleView),
  }
}
