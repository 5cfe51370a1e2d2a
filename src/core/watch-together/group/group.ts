import type { Timeline } from './timeline.ts'

/** A seat in a group. All times are server times in milliseconds. */
export type GroupMember = {
  id: string
  profileId: string
  username: string
  /** The session of the token that took the seat. */
  sessionId: string
  name: string
  joinedAt: number
  isConnected: boolean
  /** Whether it was ever connected; a seat can be taken before. */
  hasConnected: boolean
  /** The end of the seat of a member that is not connected; null while connected. */
  seatUntil: number | null
  /** Hash of the token that resumes the seat. */
  resumeHash: string
  /** Whether its client reports readiness. The group waits only for such members. */
  reportsReadiness: boolean
  isReady: boolean
  /** When it stalled during playback; null if it did not. */
  stalledAt: number | null
  /** When the group last waited because of its stall. */
  heldGroupAt: number | null
  /** How long the group has already waited for it since it was last ready, before the current wait. */
  waitedMilliseconds: number
  /** Its user does not want the group to wait for it. */
  ignoresWait: boolean
  /** It was late: the group does not wait for it until it is ready again. */
  isCatchingUp: boolean
  /** Round trip of its connection; null if unknown. */
  roundTripMilliseconds: number | null
  /** Its last reported position minus the position of the timeline; null if unknown. */
  driftMilliseconds: number | null
}

export type QueueEntry = {
  mediaId: string
  /** A JSON value of the client; not read by the server. */
  mediaInfo: unknown
  addedAt: number
  addedBy: string
}

export type ChatMessage = { memberId: string; name: string; text: string; at: number }

/** The complete state of a group. It is only changed by `stepGroup`. */
export type WatchGroup = {
  id: string
  name: string
  description: string
  /** The account that created it. */
  ownerId: string
  /** Whether it is listed for accounts that are not members. */
  isPublic: boolean
  /** Salted hash; null without a password. */
  passwordHash: string | null
  /** Whether every member may control playback; otherwise only the host. */
  isSharedControl: boolean
  createdAt: number
  lastActivityAt: number
  /** Null only while there are no members. */
  hostId: string | null
  timeline: Timeline
  mediaDurationMilliseconds: number | null
  /**
   * The end of the wait for members that are not ready; earlier for those that the group has already waited for. Null unless the state is
   * `waiting`.
   */
  waitingUntil: number | null
  /** The last command of a member: commands of others that were based on an earlier timeline are stale. */
  lastCommand: { seq: number; by: string } | null
  /** The sequence number of the last jump: readiness for an earlier position does not count. */
  jumpSeq: number
  members: ReadonlyMap<string, GroupMember>
  queue: readonly QueueEntry[]
  chat: readonly ChatMessage[]
  /** When the next state of the whole group is due; null if nothing has changed since the last. */
  announceAt: number | null
  announcedAt: number
  isDissolved: boolean
}

/** The members in the order of joining. */
export function membersByJoinOrder(group: Pick<WatchGroup, 'members'>): GroupMember[] {
  return [...group.members.values()]
}

/** Whether the start of playback waits for this member. */
export function isAwaited(member: GroupMember): boolean {
  const { isConnected, reportsReadiness, ignoresWait, isCatchingUp } = member
  return isConnected && reportsReadiness && !ignoresWait && !isCatchingUp
}
