import { scheduleStateMessage, requireMember, type GroupDraft } from './group-draft.ts'
import { requireControl } from './commands.ts'
import type { ChatMessage } from './group.ts'
import type { GroupEvent } from './inputs.ts'
import { GROUP_LIMITS } from './limits.ts'

type Input<Kind extends GroupEvent['kind']> = Extract<GroupEvent, { kind: Kind }>

/** Replaces the queue. Entries of media that were in it keep their time and sender. */
export function setQueue(draft: GroupDraft, { memberId, entries }: Input<'queue'>): void {
  const { group, now, effects } = draft
  requireControl(draft, memberId)
  const known = new Map(group.queue.map((entry) => [entry.mediaId, entry]))
  group.queue = entries.slice(0, GROUP_LIMITS.queueEntries).map(({ mediaId, mediaInfo }) => {
    const { addedAt = now, addedBy = memberId } = known.get(mediaId) ?? {}
    return { mediaId, mediaInfo, addedAt, addedBy }
  })
  group.lastActivityAt = now
  effects.push({ kind: 'queue', queue: group.queue, by: memberId })
  scheduleStateMessage(draft)
}

/** Sends a message to all, and keeps the last ones for those who join later. */
export function sendChat(draft: GroupDraft, { memberId, text }: Input<'chat'>): void {
  const { group, now, effects } = draft
  const message = { memberId, name: requireMember(draft, memberId).name, text, at: now }
  group.lastActivityAt = now
  group.chat = lastOnes([...group.chat, message])
  effects.push({ kind: 'chat', message })
}

/** The last messages within the limits of their number and length. */
function lastOnes(chat: readonly ChatMessage[]): ChatMessage[] {
  const last = chat.slice(-GROUP_LIMITS.chatMessages)
  let bytes = 0
  const isOver = (message: ChatMessage): boolean => {
    bytes += Buffer.byteLength(JSON.stringify(message))
    return bytes > GROUP_LIMITS.chatBytes
  }
  return last.slice(last.findLastIndex(isOver) + 1)
}

export function sendTyping(draft: GroupDraft, { memberId, isTyping }: Input<'typing'>): void {
  requireMember(draft, memberId)
  draft.effects.push({ kind: 'typing', memberId, isTyping })
}
