import type { WatchedItem } from '../../../core/playback/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** A row of the watch history of all users. `profile_name` is empty for the main profile. */
export function allUsersHistoryView({ item, state, progress, sessionId, account, profileName }: WatchedItem) {
  const [isCompleted, time] = [state.status === 'stopped', toIsoTimestamp(state.updatedAt)]
  return {
    id: `${sessionId}:${item.id}`,
    media_item_id: item.id,
    media_name: item.name,
    media_type: item.type,
    library_id: item.libraryId,
    user_id: account.id,
    username: account.username,
    display_name: account.displayName ?? account.username,
    profile_name: profileName ?? '',
    last_watched_at: time,
    completed_at: isCompleted ? time : null,
    playback_status: isCompleted ? 'completed' : state.status,
    progress_percent: Math.round(progress * 10_000) / 100,
  }
}
