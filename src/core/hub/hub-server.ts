import { MISSED_HEARTBEATS, type KnownKey } from '../hub-protocol/index.ts'

/** A home server that is paired with the hub. */
export type HubServer = {
  /** UUID. */
  id: string
  ownerId: string
  ownerName: string
  name: string
  version: string
  publicKeys: KnownKey[]
  isKeyProven: boolean
  generation: number
  isDisabled: boolean
  /** Base URLs at which it may be reached without the hub. */
  hostnameCandidates: string[]
  libraries: { library_id: string; library_name: string }[]
  /** The features that the server reports. */
  capabilities: string[]
  activeSessions: number
  activeTranscodes: number
  lastSeenAt: Date | null
  /** The client address of the last heartbeat. */
  lastAddress: string | null
  /** The interval of its heartbeats in seconds. */
  heartbeatSeconds: number
  createdAt: Date
  /** Whether a process of the hub holds a tunnel of it. */
  hasTunnel: boolean
}

export type HubServerStatus = 'online' | 'offline' | 'claiming' | 'disabled'

/** The state of a server as clients show it. A server without a heartbeat is still being paired. */
export function serverStatus(
  { isDisabled, lastSeenAt, heartbeatSeconds }: Pick<HubServer, 'isDisabled' | 'lastSeenAt' | 'heartbeatSeconds'>,
  now: Date,
): HubServerStatus {
  if (isDisabled) return 'disabled'
  if (lastSeenAt === null) return 'claiming'
  const silentSeconds = (now.getTime() - lastSeenAt.getTime()) / 1000
  return silentSeconds <= heartbeatSeconds * MISSED_HEARTBEATS ? 'online' : 'offline'
}
