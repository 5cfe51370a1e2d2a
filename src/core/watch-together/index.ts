export type { GroupEffect } from './group/effects.ts'
export { watchGroupErrors } from './group/errors.ts'
export {
  membersByJoinOrder,
  type ChatMessage,
  type WatchGroup,
  type GroupMember,
  type QueueEntry,
} from './group/group.ts'
export { groupItemIds, watchGroupsVisibleTo } from './limit-watch-groups.ts'
export type { GroupEvent } from './group/inputs.ts'
export { GROUP_LIMITS } from './group/limits.ts'
export { positionAt, type Timeline } from './group/timeline.ts'
export { clientPasswordHash } from './registry/secrets.ts'
export type { JoiningClient, Seat } from './registry/assign-seat.ts'
export { createWatchGroups, type WatchGroups } from './watch-groups.ts'
