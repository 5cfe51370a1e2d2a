import { applyCommand, startIfReady } from './commands.ts'
import { applyDeadlines, replaceLostHost } from './deadlines.ts'
import { changeTimeline, createGroupDraft, type GroupDraft } from './group-draft.ts'
import type { GroupEffect } from './effects.ts'
import { watchGroupErrors } from './errors.ts'
import type { WatchGroup } from './group.ts'
import type { GroupEvent } from './inputs.ts'
import { connectSeat, disconnectSeat, joinGroup, leavePermanently, resumeSeat, transferHost } from './membership.ts'
import { setIgnoreWait, applyReadiness, applyPositionReport } from './readiness.ts'
import { sendChat, setQueue, sendTyping } from './chat-and-queue.ts'

/**
 * Performs one step of a group: applies everything that is due, and then the input. Pure.
 * @param now server time in milliseconds
 * @throws AppError `group_not_found` once it is dissolved, `not_a_member`, `NOT_HOST`, `group_full`, `member_not_found`; the group is unchanged
 */
export function stepGroup(
  group: WatchGroup,
  input: GroupEvent,
  now: number,
): { group: WatchGroup; effects: GroupEffect[] } {
  if (group.isDissolved) throw watchGroupErrors.group_not_found()
  const draft = createGroupDraft(group, now)
  applyDeadlines(draft)
  if (!draft.group.isDissolved) {
    applyInput(draft, input)
  }
  if (!draft.group.isDissolved) {
    // The first member that reconnects can replace a host that has been away for longer.
    replaceLostHost(draft)
    startIfReady(draft)
    stopIfEmpty(draft)
    announceIfDue(draft)
  }
  return { group: draft.group, effects: draft.effects }
}

type Handlers = {
  [Kind in GroupEvent['kind']]: (draft: GroupDraft, input: Extract<GroupEvent, { kind: Kind }>) => void
}

const HANDLERS: Handlers = {
  tick: () => {},
  join: (draft, { member }) => joinGroup(draft, member),
  resume: resumeSeat,
  connect: connectSeat,
  disconnect: (draft, { memberId }) => disconnectSeat(draft, memberId),
  leave: (draft, { memberId }) => leavePermanently(draft, memberId),
  play: applyCommand,
  pause: applyCommand,
  seek: applyCommand,
  rate: applyCommand,
  media: applyCommand,
  queue: setQueue,
  ready: applyReadiness,
  report: applyPositionReport,
  ignoreWait: setIgnoreWait,
  chat: sendChat,
  typing: sendTyping,
  transferHost,
}

function applyInput(draft: GroupDraft, input: GroupEvent): void {
  const handle = HANDLERS[input.kind] as (draft: GroupDraft, input: GroupEvent) => void
  handle(draft, input)
}

/** Stops the playback of a group without members. */
function stopIfEmpty(draft: GroupDraft): void {
  const { members, timeline } = draft.group
  const isMoving = timeline.state === 'playing' || timeline.state === 'waiting'
  if (members.size === 0 && isMoving) changeTimeline(draft, { state: 'paused' }, { cause: 'end', by: null })
}

function announceIfDue({ group, now, effects }: GroupDraft): void {
  if (group.announceAt === null || group.announceAt > now) return
  group.announceAt = null
  group.announcedAt = now
  effects.push({ kind: 'state' })
}
