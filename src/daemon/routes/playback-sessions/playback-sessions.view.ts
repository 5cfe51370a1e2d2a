import type { Marker } from '../../../core/analysis/index.ts'
import type { ItemSource } from '../../../core/catalogue/index.ts'
import type { PlaybackSession, PlaybackState } from '../../../core/playback/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { skipButtonsView } from '../markers/markers.view.ts'
import { timeLineView } from '../playback/playback.view.ts'

export const EMPTY_PROGRESS = {
  progress: null,
  intro_marker: null,
  outro_marker: null,
  skip_button_spec: skipButtonsView([]),
  markers: [],
  chapters: [],
}

/** The playback state of an item in a session. */
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

/** The state of the last item of a session, with the data of the time line. */
export function progressView(
  state: PlaybackState,
  { item, parts, markers }: Pick<ItemSource, 'item' | 'parts'> & { markers: readonly Marker[] },
) {
  return { progress: stateView(state), ...timeLineView(item, { parts, markers }) }
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
