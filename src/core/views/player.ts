import type { Player } from '../remote-control/index.ts'

/** A player that can be controlled. Positions are in milliseconds. */
export function playerView({ id, accountId, username, deviceName, deviceType, state }: Player) {
  return {
    id,
    user_id: accountId,
    username,
    device_name: deviceName,
    device_type: deviceType,
    media_item_id: state?.mediaItemId ?? null,
    position: state?.positionMilliseconds ?? null,
    is_paused: state?.isPaused ?? true,
  }
}
