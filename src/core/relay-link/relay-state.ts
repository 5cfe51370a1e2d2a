import type { TunnelFacts } from './tunnel-state.ts'

/** The state of the tunnel and its setting. */
export type RelayReport = RelayState & {
  /** Whether the setting is on. */
  isEnabled: boolean
}

/** The state of the tunnel. */
export type RelayState = TunnelFacts & {
  /** Whether the server is paired with a hub. */
  isEnrolled: boolean
  isConnected: boolean
  /** Requests that run. */
  requests: number
  /** Null while there is no tunnel, and before the first PING. */
  latencyMilliseconds: number | null
}
