/** The header with the version of the pairing protocol. */
export const PROTOCOL_HEADER = 'accept-phlix-protocol'

export const PROTOCOL_VERSION = 'v1'

/** Bounds of the interval between two heartbeats, and its default. */
export const HEARTBEAT_SECONDS = { default: 60, min: 30, max: 3600 } as const

/** A server is offline after this number of missed heartbeats. */
export const MISSED_HEARTBEATS = 3

/** The capability of a home server that limits users of the hub to some of its libraries. */
export const LIBRARY_SUBSETS = 'library-subsets'

/** What a home server reports about itself. */
export type HeartbeatReport = {
  serverId: string
  version: string
  /** ISO 8601, by the clock of the home server. */
  timestamp: string
  uptimeSeconds: number
  activeSessions: number
  activeTranscodes: number
  /** Base URLs at which the server may be reached without the hub. */
  hostnameCandidates: string[]
  libraries: { library_id: string; library_name: string }[]
  /** What the server can do beyond the first version of the protocol. */
  capabilities: string[]
  /** The interval after which the next report follows. */
  intervalSeconds: number
}
