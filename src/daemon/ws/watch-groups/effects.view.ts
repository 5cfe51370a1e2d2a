import { positionAt, type WatchGroup, type GroupEffect } from '../../../core/watch-together/index.ts'
import { watchQueueView, watchTimelineView } from '../../../core/views/index.ts'

type Fields = { type: string } & Record<string, unknown>

type TimelineEffect = Extract<GroupEffect, { kind: 'timeline' }>

/** The messages of one effect, without the fields that all messages have. The whole state of a group is not among them. */
export function effectMessages(
  group: WatchGroup,
  effect: Exclude<GroupEffect, { kind: 'state' }>,
  now: number,
): Fields[] {
  switch (effect.kind) {
    case 'timeline':
      return [timelineMessage(effect), ...playbackMessages(group, effect, now)]
    case 'waiting':
      return [{ type: 'syncplay_waiting', for: effect.for }]
    case 'joined':
    case 'resumed':
    case 'lost':
    case 'left':
      return [infoMessage(effect)]
    case 'hostElected':
      return [{ type: 'syncplay_host_elect', elected_id: effect.electedId, elected_by: effect.by ?? 'server' }]
    case 'queue':
      return [{ type: 'syncplay_playback_queue', member_id: effect.by, queue: watchQueueView(effect.queue) }]
    case 'chat': {
      const { memberId, name, text, at } = effect.message
      const who = { member_id: memberId, member_name: name }
      return [{ type: 'syncplay_chat', ...who, message: text, sent_at: Math.round(at) }]
    }
    case 'typing':
      return [{ type: 'syncplay_typing', member_id: effect.memberId, is_typing: effect.isTyping }]
    case 'dissolved':
      return [{ type: 'syncplay_info', code: 'dissolved', message: `${group.name} was dissolved.` }]
  }
}

function timelineMessage({ timeline, cause, by, fromPosition }: TimelineEffect): Fields {
  return {
    type: 'syncplay_timeline',
    timeline: watchTimelineView(timeline),
    cause,
    member_id: by,
    from_position: Math.round(fromPosition),
  }
}

/**
 * The same for clients that know only these messages, which always name a member: a start that of the command, other decisions of the server
 * the host. A wait before the start is not announced to them: the start follows.
 */
function playbackMessages(group: WatchGroup, effect: TimelineEffect, now: number): Fields[] {
  const { timeline, cause, fromPosition } = effect
  const asked = cause === 'start' ? group.lastCommand?.by : undefined
  const by = effect.by ?? asked ?? group.hostId
  const common = { member_id: by, server_time: Math.round(Math.max(now, timeline.atMilliseconds)) }
  const position = Math.round(timeline.positionMilliseconds)
  if (cause === 'seek' || cause === 'media') {
    const places = { from_position: Math.round(fromPosition), to_position: position }
    const seek = { type: 'syncplay_playback_seek', ...common, ...places }
    // A seek does not stop them, but the group waits there for those that load.
    return timeline.state === 'waiting' ? [seek, { type: 'syncplay_playback_pause', ...common, position }] : [seek]
  }
  if (timeline.state === 'playing') {
    // After a change of the speed the position at the time of the message is meant.
    const place = Math.round(positionAt(timeline, common.server_time))
    return [{ type: 'syncplay_playback_play', ...common, position: place }]
  }
  if (timeline.state === 'paused' || cause === 'wait') return [{ type: 'syncplay_playback_pause', ...common, position }]
  return []
}

const SENTENCES = {
  joined: 'joined',
  resumed: 'is back',
  lost: 'lost the connection',
  left: 'left',
} as const

function infoMessage({
  kind,
  memberId,
  name,
}: {
  kind: keyof typeof SENTENCES
  memberId: string
  name: string
}): Fields {
  return {
    type: 'syncplay_info',
    code: kind,
    message: `${name} ${SENTENCES[kind]}.`,
    ...(kind === 'joined' ? { member_id: memberId, member_name: name } : memberIdForInfo({ memberId, name })),
  }
}

/** The member of an info that is no join: existing clients take each info with a `member_id` as a join. */
export function memberIdForInfo({ memberId, name }: { memberId: string; name: string }): object {
  return { affected_member_id: memberId, affected_member_name: name }
}
