import { watchGroupErrors } from './errors.ts'
import { changeTimeline, requireMember, type GroupDraft } from './group-draft.ts'
import { isAwaited } from './group.ts'
import type { GroupEvent } from './inputs.ts'
import { GROUP_LIMITS, GROUP_TIMES } from './limits.ts'
import { positionAt } from './timeline.ts'

type Input<Kind extends GroupEvent['kind']> = Extract<GroupEvent, { kind: Kind }>
type CommandInput = Input<'play'> | Input<'pause'> | Input<'seek'> | Input<'rate'> | Input<'media'>

/**
 * Applies a command for the timeline. A stale command only gets the current timeline.
 * @throws AppError `not_a_member`, `NOT_HOST`
 */
export function applyCommand(draft: GroupDraft, input: CommandInput): void {
  requireControl(draft, input.memberId)
  draft.group.lastActivityAt = draft.now
  if (isStale(draft, input)) return sendTimeline(draft, input.memberId)
  switch (input.kind) {
    case 'play':
      return play(draft, input)
    case 'pause':
      return pause(draft, input)
    case 'seek':
      return jump(draft, { position: input.to }, { cause: 'seek', by: input.memberId })
    case 'rate':
      return changeTimeline(draft, { rate: input.rate }, { cause: 'rate', by: input.memberId })
    case 'media':
      return selectMedia(draft, input)
  }
}

/** @throws AppError `not_a_member`, `NOT_HOST` */
export function requireControl(draft: GroupDraft, memberId: string): void {
  requireMember(draft, memberId)
  if (draft.group.hostId !== memberId && !draft.group.isSharedControl) throw watchGroupErrors.NOT_HOST()
}

/** Whether another member has given a command that the sender had not seen. */
function isStale({ group }: GroupDraft, { memberId, basedOn }: CommandInput): boolean {
  const { lastCommand } = group
  return basedOn !== undefined && lastCommand !== null && lastCommand.by !== memberId && basedOn < lastCommand.seq
}

/** Sends the current timeline to one member. */
export function sendTimeline({ group, now, effects }: GroupDraft, to: string): void {
  const { timeline } = group
  effects.push({
    kind: 'timeline',
    to,
    timeline,
    cause: 'correction',
    by: null,
    fromPosition: positionAt(timeline, now),
  })
}

function play(draft: GroupDraft, { memberId, position }: Input<'play'>): void {
  const { timeline } = draft.group
  if (timeline.state === 'playing' || timeline.state === 'waiting') return sendTimeline(draft, memberId)
  const from = position ?? (isAtEnd(draft) ? 0 : timeline.positionMilliseconds)
  const isJump = from !== timeline.positionMilliseconds
  const place = isJump ? { positionMilliseconds: clampPosition(draft, from), epoch: timeline.epoch + 1 } : {}
  changeTimeline(draft, { state: 'waiting', ...place }, { cause: 'play', by: memberId })
}

/** Whether the media has ended. In that case `play` starts it from the beginning. */
function isAtEnd({ group }: GroupDraft): boolean {
  const { mediaDurationMilliseconds: end, timeline } = group
  return end !== null && end > 0 && timeline.positionMilliseconds >= end - GROUP_TIMES.end
}

/** Pauses playback. A second pause changes nothing. */
function pause(draft: GroupDraft, { memberId, position }: Input<'pause'>): void {
  const { timeline } = draft.group
  if (timeline.state === 'paused' || timeline.state === 'idle') return sendTimeline(draft, memberId)
  const place = position === undefined ? {} : { positionMilliseconds: clampPosition(draft, position) }
  changeTimeline(draft, { state: 'paused', ...place }, { cause: 'pause', by: memberId })
}

type Jump = { position: number; mediaId?: string }

/** Goes to another position. Playback continues when the members are ready there. */
function jump(draft: GroupDraft, { position, mediaId }: Jump, origin: { cause: 'seek' | 'media'; by: string }): void {
  const { timeline } = draft.group
  const isMoving = timeline.state === 'playing' || timeline.state === 'waiting'
  changeTimeline(
    draft,
    {
      state: isMoving ? 'waiting' : 'paused',
      positionMilliseconds: clampPosition(draft, position),
      epoch: timeline.epoch + 1,
      ...(mediaId !== undefined && { mediaId }),
    },
    origin,
  )
}

function selectMedia(draft: GroupDraft, input: Input<'media'>): void {
  const { memberId, mediaId, position, durationMilliseconds, isFromQueue = false } = input
  if (isFromQueue) takeFromQueue(draft, { memberId, mediaId })
  draft.group.mediaDurationMilliseconds = durationMilliseconds
  // All members load new media, so the group waits again for those that were late for the previous one.
  for (const member of draft.group.members.values()) member.isCatchingUp = false
  jump(draft, { position, mediaId }, { cause: 'media', by: memberId })
  for (const member of draft.group.members.values()) member.waitedMilliseconds = 0
}

/** Removes the played entry from the queue, and the entries before it, which cannot be played. */
function takeFromQueue(
  { group, effects }: GroupDraft,
  { memberId, mediaId }: { memberId: string; mediaId: string },
): void {
  const index = group.queue.findIndex((entry) => entry.mediaId === mediaId)
  group.queue = group.queue.slice(index + 1)
  effects.push({ kind: 'queue', queue: group.queue, by: memberId })
}

function clampPosition({ group }: GroupDraft, position: number): number {
  const end = group.mediaDurationMilliseconds ?? GROUP_LIMITS.positionMilliseconds
  return Math.max(0, Math.min(position, end))
}

/** Starts playback if the group waits for no member. The start time is late enough that every member receives the command before it. */
export function startIfReady(draft: GroupDraft): void {
  const { group, now } = draft
  if (group.timeline.state !== 'waiting') return
  const members = [...group.members.values()].filter(({ isConnected }) => isConnected)
  if (members.some((member) => isAwaited(member) && !member.isReady)) return
  const slowest = Math.max(0, ...members.map(({ roundTripMilliseconds }) => roundTripMilliseconds ?? 0))
  const lead = Math.max(GROUP_TIMES.minLead, Math.min(2 * slowest, GROUP_TIMES.maxLead))
  changeTimeline(draft, { state: 'playing', atMilliseconds: now + lead }, { cause: 'start', by: null })
}
