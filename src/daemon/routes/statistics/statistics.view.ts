import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { Activity, PlayDay, StorageSnapshot, TopItem, TopUser } from '../../../core/statistics/index.ts'

/** Durations are in seconds. */
export function playDayView({ day, playCount, completedCount, watchedSeconds }: PlayDay) {
  return { date: day, play_count: playCount, total_duration: watchedSeconds, completed_count: completedCount }
}

export function topUserView({ userId, watchedSeconds, playCount }: TopUser) {
  return { user_id: userId, total_watch_time: watchedSeconds, play_count: playCount }
}

export function topItemView({ item, playCount, watchedSeconds }: TopItem) {
  return { media_item_id: item.id, play_count: playCount, total_duration: watchedSeconds }
}

export function storageView(snapshot: StorageSnapshot) {
  return {
    id: snapshot.id,
    recorded_at: toIsoTimestamp(snapshot.recordedAt),
    library_id: snapshot.libraryId,
    library_name: snapshot.libraryName,
    media_type: snapshot.mediaType,
    item_count: snapshot.itemCount,
    total_bytes: snapshot.totalBytes,
    transcode_cache_bytes: snapshot.transcodeCacheBytes,
  }
}

/** Dashboards read the name under either key. */
export function dashboardUserView(user: TopUser) {
  const { username, watchedSeconds } = user
  return { ...topUserView(user), username, user_name: username, total_watch_time_seconds: watchedSeconds }
}

export function dashboardItemView(top: TopItem) {
  const { name, type } = top.item
  return { ...topItemView(top), media_title: name, title: name, media_type: type }
}

/** Actions without an account are the server's own. */
export function activityView({ id, action, actor, mediaItemId, target, occurredAt }: Activity) {
  const [username, time] = [actor?.username ?? null, toIsoTimestamp(occurredAt)]
  return {
    id,
    action,
    actor: username ?? 'system',
    user_id: actor?.id ?? null,
    username,
    user_name: username,
    target,
    media_item_id: mediaItemId,
    media_title: mediaItemId === null ? null : target,
    title: target,
    created_at: time,
    occurred_at: time,
  }
}
