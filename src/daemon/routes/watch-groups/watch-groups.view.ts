import { positionAt, type WatchGroup, type Seat } from '../../../core/watch-together/index.ts'
import { watchGroupListingView, watchGroupView } from '../../../core/views/index.ts'

/**
 * A group for REST clients: like on the wire, but with the members as a map by their ids, and the names of its keys of both. A client that
 * has not sent the password of a group receives its entry in the list of groups: neither its members nor what they watch.
 */
export function restGroupView(group: WatchGroup, { now, isMember }: { now: number; isMember: boolean }) {
  if (!isMember && group.passwordHash !== null) return { ...watchGroupListingView(group), members: {}, queue: [] }
  const { members, ...view } = watchGroupView(group, { now, position: positionAt(group.timeline, now) })
  return {
    ...view,
    id: view.group_id,
    name: view.group_name,
    description: group.description,
    members: Object.fromEntries(members.map((member) => [member.id, member])),
  }
}

export function joinedView({ group, seat }: { group: WatchGroup; seat: Seat }, now: number) {
  return {
    success: true as const,
    group: restGroupView(group, { now, isMember: true }),
    your_id: seat.memberId,
    resume_token: seat.resumeToken,
  }
}
