import type { WatchGroup } from './group.ts'

/** A group without members. @param now server time in milliseconds */
export function createGroup(
  fields: Pick<WatchGroup, 'id' | 'name' | 'description' | 'ownerId' | 'isPublic' | 'passwordHash' | 'isSharedControl'>,
  now: number,
): WatchGroup {
  return {
    ...fields,
    createdAt: now,
    lastActivityAt: now,
    hostId: null,
    timeline: {
      seq: 1,
      epoch: 1,
      state: 'idle',
      mediaId: null,
      positionMilliseconds: 0,
      atMilliseconds: now,
      rate: 1,
    },
    mediaDurationMilliseconds: null,
    waitingUntil: null,
    lastCommand: null,
    jumpSeq: 1,
    members: new Map(),
    queue: [],
    chat: [],
    announceAt: null,
    announcedAt: 0,
    isDissolved: false,
  }
}
