import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { Activity, StorageSnapshot, TopItem, TopUser } from '../../../core/statistics/index.ts'
import { namedTopItemView, namedTopUserView } from '../../../core/views/index.ts'

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
  return { ...namedTopUserView(user), user_name: username, total_watch_time_seconds: watchedSeconds }
}

export function dashboardItemView(top: TopItem) {
  return { ...namedTopItemView(top), media_title: top.item.name }
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
