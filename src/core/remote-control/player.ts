/** What a player can be told. */
export const PLAYER_ACTIONS = ['play', 'pause', 'stop', 'next', 'seek', 'volume'] as const

export type PlayerCommand = {
  action: (typeof PLAYER_ACTIONS)[number]
  /** For `play`: the item; without it playback continues. */
  mediaItemId?: string | undefined
  /** For `seek`, and for `play` with an item. */
  positionMilliseconds?: number | undefined
  /** For `volume`: 0 to 100. */
  volume?: number | undefined
}

/** What a player last reported. */
export type PlayerState = {
  mediaItemId: string | null
  positionMilliseconds: number | null
  isPaused: boolean
}

/** A client with an open WebSocket that can be controlled. */
export type Player = {
  /** UUID of the connection. */
  id: string
  accountId: string
  /** Who may control it: devices of the same profile. */
  profileId: string
  username: string
  deviceName: string
  deviceType: string
  state: PlayerState | null
}
