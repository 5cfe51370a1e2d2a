import {
  GROUP_LIMITS,
  positionAt,
  type WatchGroup,
  type GroupEffect,
  type WatchGroups,
} from '../../../core/watch-together/index.ts'
import type { MessageViews } from '../messages.view.ts'
import { effectMessages } from './effects.view.ts'
import { watchGroupView } from '../../../core/views/index.ts'
import type { PeerSeat, Seats } from './seats.ts'

/** Sends one text to several clients. With `hasOwnId` each client gets its member id in it. */
export type SendToSeats = (seats: readonly PeerSeat[], text: string, options?: { hasOwnId?: boolean }) => void

type Delivery = {
  groups: Pick<WatchGroups, 'serverMilliseconds' | 'processId'>
  seats: Seats
  views: Pick<MessageViews, 'flat'>
  sendToSeats: SendToSeats
}

/** Sends the effects of a step to the members of the group. Each message is serialized once. */
export function sendGroupEffects(
  { groups, seats, views, sendToSeats }: Delivery,
  group: WatchGroup,
  effects: readonly GroupEffect[],
): void {
  const now = groups.serverMilliseconds()
  const all = seats.inGroup(group)
  for (const effect of effects) {
    const to = 'to' in effect && effect.to !== undefined ? [seats.ofMember(effect.to) ?? []].flat() : all
    if (to.length === 0) continue
    if (effect.kind === 'state') {
      const isWelcome = effect.to !== undefined
      const extras = isWelcome ? { ...welcomeFields(group, to[0]), process_id: groups.processId } : {}
      const state = views.flat('syncplay_group_state', {
        group: watchGroupView(group, { now, position: positionAt(group.timeline, now) }),
        ...extras,
      })
      sendToSeats(to, JSON.stringify(state), { hasOwnId: true })
      continue
    }
    const others = effect.kind === 'typing' ? to.filter(({ memberId }) => memberId !== effect.memberId) : to
    for (const { type, ...fields } of effectMessages(group, effect, now)) {
      sendToSeats(others, JSON.stringify(views.flat(type, { group_id: group.id, ...fields })))
    }
  }
}

/** What only the joining member gets, beside the process of the group: the token of its seat, the last chat messages and the limits. */
function welcomeFields(group: WatchGroup, seat: PeerSeat | undefined): object {
  return {
    resume_token: seat?.resumeToken,
    chat: group.chat.map(({ memberId, name, text, at }) => ({
      member_id: memberId,
      member_name: name,
      message: text,
      sent_at: Math.round(at),
    })),
    limits: { members: GROUP_LIMITS.members, chat_length: GROUP_LIMITS.chatLength, queue: GROUP_LIMITS.queueEntries },
  }
}

/** Adds the member id to a serialized object. */
export function addMemberId(text: string, memberId: string): string {
  return `${text.slice(0, -1)},"your_id":${JSON.stringify(memberId)}}`
}
