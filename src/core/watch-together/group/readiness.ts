import {
  scheduleStateMessage,
  changeTimeline,
  requireMember,
  sendAwaitedMembers,
  type GroupDraft,
} from './group-draft.ts'
import { isAwaited, type WatchGroup, type GroupMember } from './group.ts'
import type { GroupEvent } from './inputs.ts'
import { GROUP_TIMES } from './limits.ts'
import { positionAt } from './timeline.ts'

type Input<Kind extends GroupEvent['kind']> = Extract<GroupEvent, { kind: Kind }>

/** Stores the readiness of a member. Readiness for a position before the last jump does not count. */
export function applyReadiness(draft: GroupDraft, { memberId, isReady, seq }: Input<'ready'>): void {
  const { group, now } = draft
  const member = requireMember(draft, memberId)
  group.lastActivityAt = now
  member.reportsReadiness = true
  if (seq !== undefined && seq < group.jumpSeq) return
  if (member.isReady === isReady && !member.isCatchingUp) return
  member.isReady = isReady
  if (isReady) Object.assign(member, { isCatchingUp: false, waitedMilliseconds: 0 })
  const hasStalled = !isReady && group.timeline.state === 'playing' && isAwaited(member)
  member.stalledAt = hasStalled ? (member.stalledAt ?? now) : null
  if (group.timeline.state === 'waiting') sendAwaitedMembers(draft)
  scheduleStateMessage(draft)
}

/** Stores a position report: the drift of a member, and its round trip. The next state of the group shows them. */
export function applyPositionReport(draft: GroupDraft, input: Input<'report'>): void {
  const { group, now } = draft
  const member = requireMember(draft, input.memberId)
  const { position, at = now, roundTripMilliseconds } = input
  group.lastActivityAt = now
  member.roundTripMilliseconds = roundTripMilliseconds ?? member.roundTripMilliseconds
  member.driftMilliseconds = Math.round(position - positionAt(group.timeline, at))
}

/** @throws AppError `not_a_member` */
export function setIgnoreWait(draft: GroupDraft, { memberId, isOn }: Input<'ignoreWait'>): void {
  const member = requireMember(draft, memberId)
  draft.group.lastActivityAt = draft.now
  if (member.ignoresWait === isOn) return
  member.ignoresWait = isOn
  if (isOn) member.stalledAt = null
  scheduleStateMessage(draft)
}

/** When the group stops waiting for a member, in milliseconds; undefined unless it waits for it. */
export function waitDeadline(
  { waitingUntil }: Pick<WatchGroup, 'waitingUntil'>,
  member: GroupMember,
): number | undefined {
  const isLate = waitingUntil !== null && isAwaited(member) && !member.isReady
  return isLate ? waitingUntil - member.waitedMilliseconds : undefined
}

/** Stops the wait for a late member. */
export function stopWaitingForLateMember(draft: GroupDraft, member: GroupMember): void {
  member.isCatchingUp = true
  scheduleStateMessage(draft)
}

/** When the stall of a member pauses the group, in milliseconds; undefined without a stall. */
export function stallDeadline({ stalledAt }: GroupMember): number | undefined {
  return stalledAt === null ? undefined : stalledAt + GROUP_TIMES.stallGrace
}

/** Pauses the group for a member that has stalled for too long, at most once in `GROUP_TIMES.stallPause`. Otherwise the member catches up alone. */
export function pauseForStall(draft: GroupDraft, member: GroupMember): void {
  const { now } = draft
  member.stalledAt = null
  const isHeldRecently = member.heldGroupAt !== null && now - member.heldGroupAt < GROUP_TIMES.stallPause
  if (isHeldRecently || draft.group.timeline.state !== 'playing' || !isAwaited(member)) {
    member.isCatchingUp = true
    return scheduleStateMessage(draft)
  }
  member.heldGroupAt = now
  changeTimeline(draft, { state: 'waiting' }, { cause: 'wait', by: null })
}
