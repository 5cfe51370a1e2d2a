import type { GroupEffect, TimelineCause } from './effects.ts'
import { watchGroupErrors } from './errors.ts'
import { isAwaited, type WatchGroup, type GroupMember } from './group.ts'
import { GROUP_TIMES } from './limits.ts'
import { positionAt, type Timeline } from './timeline.ts'

/** A group that a step changes, and the effects so far. After an error it is discarded, and the group is unchanged. */
export type GroupDraft = {
  group: Omit<WatchGroup, 'members'> & { members: Map<string, GroupMember> }
  effects: GroupEffect[]
  /** Server time in milliseconds. */
  now: number
}

export function createGroupDraft(group: WatchGroup, now: number): GroupDraft {
  const members = new Map([...group.members].map(([id, member]) => [id, { ...member }]))
  return { group: { ...group, members }, effects: [], now }
}

/** @throws AppError `not_a_member` */
export function requireMember({ group }: GroupDraft, memberId: string): GroupMember {
  const member = group.members.get(memberId)
  if (member === undefined) throw watchGroupErrors.not_a_member()
  return member
}

/**
 * Replaces the timeline by one that is valid from now on, unless the change contains another time. A start in the future keeps its time as long
 * as the group continues to play.
 * @param by the member whose command it is; null for a decision of the server
 */
export function changeTimeline(
  draft: GroupDraft,
  change: Partial<Omit<Timeline, 'seq'>>,
  { cause, by }: { cause: TimelineCause; by: string | null },
): void {
  const { group, now, effects } = draft
  const before = group.timeline
  const fromPosition = positionAt(before, now)
  countWaits(draft)
  const timeline: Timeline = {
    ...before,
    positionMilliseconds: fromPosition,
    atMilliseconds: now,
    ...change,
    seq: before.seq + 1,
  }
  const playsOn = before.state === 'playing' && timeline.state === 'playing'
  if (playsOn) timeline.atMilliseconds = Math.max(timeline.atMilliseconds, before.atMilliseconds)
  if (timeline.epoch !== before.epoch) {
    group.jumpSeq = timeline.seq
    for (const member of group.members.values()) loseReadiness(member)
  }
  group.timeline = timeline
  group.waitingUntil = timeline.state === 'waiting' ? now + GROUP_TIMES.barrier : null
  if (by !== null) group.lastCommand = { seq: timeline.seq, by }
  effects.push({ kind: 'timeline', timeline, cause, by, fromPosition })
  if (timeline.state === 'waiting') sendAwaitedMembers(draft)
  scheduleStateMessage(draft)
}

/** Adds the current wait to the waiting times of the members that cause it, so that a new wait does not give them the whole time again. */
function countWaits({ group, now }: GroupDraft): void {
  if (group.waitingUntil === null) return
  const waited = now - (group.waitingUntil - GROUP_TIMES.barrier)
  for (const member of group.members.values())
    if (isAwaited(member) && !member.isReady) member.waitedMilliseconds += waited
}

function loseReadiness(member: GroupMember): void {
  member.isReady = !member.reportsReadiness
  member.stalledAt = null
  member.driftMilliseconds = null
}

/** Names the members that the group waits for. */
export function sendAwaitedMembers({ group, effects }: GroupDraft): void {
  const late = [...group.members.values()].filter((member) => isAwaited(member) && !member.isReady)
  effects.push({ kind: 'waiting', for: late.map(({ id }) => id) })
}

/** Schedules a message with the whole state. Several changes within a short time cause one message. */
export function scheduleStateMessage({ group, now }: GroupDraft): void {
  group.announceAt ??= Math.max(now, group.announcedAt + GROUP_TIMES.announcement)
}
