import type { MediaItemDetail } from '../../../core/catalogue/index.ts'
import type { PlaybackSession, PlaybackState } from '../../../core/playback/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { NO_MARKERS, timeLineView } from '../playback/playback.view.ts'

const EMPTY_PROGRESS = {
  progress: null,
  intro_marker: null,
  outro_marker: null,
  skip_button_spec: NO_MARKERS,
  chapters: [],
}

/** Where an item stands in a session (document 4, section 3). */
function stateView(state: PlaybackState) {
  return {
    session_id: state.sessionId,
    media_item_id: state.mediaItemId,
    status: state.status,
    is_paused: state.status === 'paused',
    position_ticks: state.positionTicks,
    duration_ticks: state.durationTicks,
    started_at: toIsoTimestamp(state.startedAt),
    updated_at: toIsoTimestamp(state.updatedAt),
  }
}

/** The state of a session's last item, with what a player shows on its time line; without one, all of it is empty. */
export function progressView(state: PlaybackState | undefined, item: MediaItemDetail | undefined) {
  if (state === undefined || item === undefined) return EMPTY_PROGRESS
  return { progress: stateView(state), ...timeLineView(item) }
}

export function sessionView(session: PlaybackSession) {
  return {
    id: session.id,
    session_id: session.id,
    device_id: session.deviceId,
    device_name: session.deviceName,
    device_type: session.deviceType,
    progress: session.state === null ? null : stateView(session.state),
    created_at: toIsoTimestamp(session.createdAt),
    updated_at: toIsoTimestamp(session.updatedAt),
  }
}
