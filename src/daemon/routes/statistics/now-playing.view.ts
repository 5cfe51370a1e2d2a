import type { NowPlaying } from '../../../core/playback/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** Dashboards read user and title under either key. `profile_name` is empty for the main profile. */
export function nowPlayingView({ item, account, profileName, device, state }: NowPlaying) {
  return {
    session_id: state.sessionId,
    user_id: account.id,
    username: account.username,
    user_name: account.username,
    profile_name: profileName ?? '',
    media_item_id: item.id,
    media_title: item.name,
    title: item.name,
    media_type: item.type,
    device_name: device.name,
    device_type: device.type,
    status: state.status,
    is_paused: state.status === 'paused',
    position_ticks: state.positionTicks,
    duration_ticks: state.durationTicks,
    started_at: toIsoTimestamp(state.startedAt),
    updated_at: toIsoTimestamp(state.updatedAt),
  }
}
