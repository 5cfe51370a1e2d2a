import { changeTimeline, type GroupDraft } from './group-draft.ts'
import type { WatchGroup } from './group.ts'
import { GROUP_LIMITS, GROUP_TIMES } from './limits.ts'
import { dissolveGroup, electHost, expireSeat, hostDeadline } from './membership.ts'
import { pauseForStall, waitDeadline, stopWaitingForLateMember, stallDeadline } from './readiness.ts'

/** The end of the media in milliseconds; without a known duration the largest position. */
function endOf({ mediaDurationMilliseconds: duration }: Pick<WatchGroup, 'mediaDurationMilliseconds'>): number {
  return duration ?? GROUP_LIMITS.positionMilliseconds
}

/** When the media ends, in server milliseconds; undefined unless it plays. */
function mediaEnd(group: Pick<WatchGroup, 'timeline' | 'mediaDurationMilliseconds'>): number | undefined {
  const { state, atMilliseconds, positionMilliseconds, rate } = group.timeline
  if (state !== 'playing') return undefined
  return atMilliseconds + Math.max(0, endOf(group) - positionMilliseconds) / rate
}

/** When the group is dissolved because nobody uses it; undefined while it plays or waits and a member is connected. */
function idleEnd({ timeline, members, lastActivityAt }: WatchGroup): number | undefined {
  const isMoving = timeline.state === 'playing' || timeline.state === 'waiting'
  const isInUse = isMoving && [...members.values()].some(({ isConnected }) => isConnected)
  return isInUse ? undefined : lastActivityAt + GROUP_TIMES.idle
}

/** Whether a group that was without a process has expired. A playing group is in use until the end of its media. */
export function hasExpired(group: WatchGroup, now: number): boolean {
  const lastUse = Math.max(group.lastActivityAt, Math.min(mediaEnd(group) ?? -Infinity, now))
  return lastUse + GROUP_TIMES.idle <= now
}

/** The next server time in milliseconds at which the group changes without input; undefined once it is dissolved. */
export function nextDeadline(group: WatchGroup): number | undefined {
  if (group.isDissolved) return undefined
  const times = [
    idleEnd(group),
    group.announceAt,
    hostDeadline(group),
    mediaEnd(group),
    ...[...group.members.values()].flatMap((member) => [
      member.seatUntil,
      stallDeadline(member),
      waitDeadline(group, member),
    ]),
  ]
  return Math.min(...times.filter((time) => time !== null && time !== undefined))
}

/** Applies everything that is due. */
export function applyDeadlines(draft: GroupDraft): void {
  const { group, now } = draft
  const isDue = (time: number | null | undefined): boolean => time !== null && time !== undefined && time <= now
  if (isDue(mediaEnd(group))) {
    changeTimeline(draft, { state: 'paused', positionMilliseconds: endOf(group) }, { cause: 'end', by: null })
    group.lastActivityAt = now
  }
  for (const member of group.members.values()) {
    if (isDue(member.seatUntil)) expireSeat(draft, member)
    else if (isDue(waitDeadline(group, member))) stopWaitingForLateMember(draft, member)
    else if (isDue(stallDeadline(member))) pauseForStall(draft, member)
  }
  replaceLostHost(draft)
  if (isDue(idleEnd(group))) dissolveGroup(draft)
}

/** Elects a host in place of one that has been away for too long. */
export function replaceLostHost(draft: GroupDraft): void {
  const deadline = hostDeadline(draft.group)
  if (deadline !== undefined && deadline <= draft.now) electHost(draft)
}
