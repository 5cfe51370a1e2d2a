import { scheduleStateMessage, requireMember, type GroupDraft } from './group-draft.ts'
import { watchGroupErrors } from './errors.ts'
import type { GroupMember } from './group.ts'
import type { GroupEvent, NewMember } from './inputs.ts'
import { GROUP_LIMITS, GROUP_TIMES } from './limits.ts'

/**
 * Adds a seat. It is not connected yet: the connection follows within the time of a lost seat.
 * @throws AppError `group_full`
 */
export function joinGroup(draft: GroupDraft, fields: NewMember): void {
  const { group, now, effects } = draft
  if (group.members.size >= GROUP_LIMITS.members) throw watchGroupErrors.group_full()
  group.members.set(fields.id, {
    ...fields,
    joinedAt: now,
    isConnected: false,
    hasConnected: false,
    seatUntil: now + GROUP_TIMES.seat,
    isReady: !fields.reportsReadiness,
    stalledAt: null,
    heldGroupAt: null,
    waitedMilliseconds: 0,
    ignoresWait: false,
    isCatchingUp: false,
    roundTripMilliseconds: null,
    driftMilliseconds: null,
  })
  group.hostId ??= fields.id
  group.lastActivityAt = now
  effects.push({ kind: 'joined', memberId: fields.id, name: fields.name })
  scheduleStateMessage(draft)
}

/** Gives a seat to another connection or session of its account. */
export function resumeSeat(draft: GroupDraft, input: Extract<GroupEvent, { kind: 'resume' }>): void {
  const member = requireMember(draft, input.memberId)
  const { sessionId, resumeHash } = input
  // A request over HTTP does not report readiness, but the connection of the same client may do so.
  const reportsReadiness = input.reportsReadiness || (member.isConnected && member.reportsReadiness)
  const seatUntil = member.isConnected ? null : draft.now + GROUP_TIMES.seat
  Object.assign(member, { sessionId, resumeHash, reportsReadiness, seatUntil })
}

/**
 * Handles the opened connection of a seat, which gets the whole state. In a group that plays or waits, the member catches up and never stops the
 * others.
 */
export function connectSeat(draft: GroupDraft, input: Extract<GroupEvent, { kind: 'connect' }>): void {
  const { memberId } = input
  const member = requireMember(draft, memberId)
  const { name, isConnected, hasConnected } = member
  const { reportsReadiness = member.reportsReadiness } = input
  const { state } = draft.group.timeline
  Object.assign(member, {
    isConnected: true,
    hasConnected: true,
    seatUntil: null,
    reportsReadiness,
    isReady: !reportsReadiness,
    isCatchingUp: state === 'playing' || state === 'waiting',
    stalledAt: null,
    waitedMilliseconds: 0,
    roundTripMilliseconds: null,
    driftMilliseconds: null,
  })
  draft.effects.push({ kind: 'state', to: memberId })
  if (!isConnected && hasConnected) draft.effects.push({ kind: 'resumed', memberId, name })
  scheduleStateMessage(draft)
}

/** The connection of a seat was lost. The seat is kept for a time. */
export function disconnectSeat(draft: GroupDraft, memberId: string): void {
  const member = draft.group.members.get(memberId)
  if (member === undefined || !member.isConnected) return
  Object.assign(member, { isConnected: false, seatUntil: draft.now + GROUP_TIMES.seat, stalledAt: null })
  draft.group.lastActivityAt = draft.now
  draft.effects.push({ kind: 'lost', memberId, name: member.name })
  scheduleStateMessage(draft)
}

/** Removes a seat. If it was the host’s, another member becomes host. */
export function leaveGroup(draft: GroupDraft, memberId: string): void {
  const { name, isConnected } = requireMember(draft, memberId)
  draft.group.members.delete(memberId)
  if (isConnected) draft.group.lastActivityAt = draft.now
  draft.effects.push({ kind: 'left', memberId, name })
  if (draft.group.hostId === memberId) {
    draft.group.hostId = null
    electHost(draft)
  }
  scheduleStateMessage(draft)
}

/** A group whose last member leaves is dissolved at once; one whose last seat was lost can be joined again. */
export function leavePermanently(draft: GroupDraft, memberId: string): void {
  leaveGroup(draft, memberId)
  if (draft.group.members.size === 0) dissolveGroup(draft)
}

/**
 * Removes a seat whose time has ended. If all others have left and the seat was never used, the group is dissolved, because no member can come
 * back.
 */
export function expireSeat(draft: GroupDraft, { id, hasConnected, joinedAt }: GroupMember): void {
  leaveGroup(draft, id)
  const { members, lastActivityAt } = draft.group
  if (members.size === 0 && !hasConnected && lastActivityAt > joinedAt) dissolveGroup(draft)
}

/** Ends the group. */
export function dissolveGroup({ group, effects }: GroupDraft): void {
  group.isDissolved = true
  effects.push({ kind: 'dissolved' })
}

/** Makes the connected member with the oldest seat host; without a connected one the oldest seat. */
export function electHost(draft: GroupDraft): void {
  const { group, effects } = draft
  const seats = [...group.members.values()]
  const elected = seats.find(({ isConnected }) => isConnected) ?? seats[0]
  if (elected === undefined || elected.id === group.hostId) return
  group.hostId = elected.id
  effects.push({ kind: 'hostElected', electedId: elected.id, by: null })
  scheduleStateMessage(draft)
}

/** @throws AppError `not_a_member`, `NOT_HOST`, `member_not_found` */
export function transferHost(draft: GroupDraft, { memberId, to }: { memberId: string; to: string }): void {
  const { group, effects } = draft
  requireMember(draft, memberId)
  if (group.hostId !== memberId) throw watchGroupErrors.NOT_HOST()
  const next = group.members.get(to)
  if (next?.isConnected !== true) throw watchGroupErrors.member_not_found()
  group.lastActivityAt = draft.now
  if (to === memberId) return
  group.hostId = to
  effects.push({ kind: 'hostElected', electedId: to, by: memberId })
  scheduleStateMessage(draft)
}

/** When the host loses its role, in milliseconds; undefined while it is connected or nobody can replace it. */
export function hostDeadline({
  hostId,
  members,
}: {
  hostId: string | null
  members: ReadonlyMap<string, GroupMember>
}) {
  const seatUntil = hostId === null ? undefined : members.get(hostId)?.seatUntil
  if (seatUntil === undefined || seatUntil === null) return undefined
  const hasSuccessor = [...members.values()].some(({ isConnected }) => isConnected)
  return hasSuccessor ? seatUntil - GROUP_TIMES.seat + GROUP_TIMES.hostGrace : undefined
}
