import type { WatchGroup, GroupMember, Timeline } from '../watch-together/index.ts'

const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

const rounded = (milliseconds: number): number => Math.round(milliseconds)

/** Clients know `buffering` for a group that waits, and `stopped` for one without media. */
const STATE_NAMES = { idle: 'stopped', waiting: 'buffering', playing: 'playing', paused: 'paused' } as const

/**
 * The whole state of a group on the wire. Positions and times of playback are in milliseconds, other times in Unix seconds.
 * @param times.now server time in milliseconds, `position` the position at that time
 */
export function watchGroupView(group: WatchGroup, { now, position }: { now: number; position: number }) {
  const { timeline, queue } = group
  const members = [...group.members.values()].map((member) => memberView(member, group))
  return {
    group_id: group.id,
    group_name: group.name,
    member_count: members.length,
    members,
    host_id: group.hostId,
    current_media_id: timeline.mediaId,
    current_media_duration: group.mediaDurationMilliseconds,
    playback_position: rounded(position),
    playback_state: STATE_NAMES[timeline.state],
    queue: watchQueueView(queue),
    created_at: unixSeconds(group.createdAt),
    last_activity_at: unixSeconds(group.lastActivityAt),
    has_password: group.passwordHash !== null,
    is_public: group.isPublic,
    everyone_controls: group.isSharedControl,
    server_time: rounded(now),
    timeline: watchTimelineView(timeline),
  }
}

export function watchTimelineView({ mediaId, positionMilliseconds, atMilliseconds, ...timeline }: Timeline) {
  return { ...timeline, media_id: mediaId, position: positionMilliseconds, at: atMilliseconds }
}

export function watchQueueView(queue: WatchGroup['queue']) {
  return queue.map(({ mediaId, mediaInfo, addedAt, addedBy }) => ({
    media_id: mediaId,
    media_info: mediaInfo,
    added_at: unixSeconds(addedAt),
    added_by: addedBy,
  }))
}

function memberView(member: GroupMember, { hostId }: Pick<WatchGroup, 'hostId'>) {
  return {
    id: member.id,
    name: member.name,
    username: member.username,
    is_host: member.id === hostId,
    joined_at: unixSeconds(member.joinedAt),
    is_connected: member.isConnected,
    is_ready: member.isReady,
    is_catching_up: member.isCatchingUp,
    ignores_wait: member.ignoresWait,
    rtt: member.roundTripMilliseconds,
    drift: member.driftMilliseconds,
  }
}

/** An entry of the list of groups. */
export function watchGroupListingView(group: WatchGroup) {
  return {
    id: group.id,
    group_id: group.id,
    name: group.name,
    group_name: group.name,
    description: group.description,
    member_count: group.members.size,
    member_names: group.passwordHash === null ? [...group.members.values()].map(({ name }) => name) : [],
    has_password: group.passwordHash !== null,
    is_public: group.isPublic,
    // Who has not given the password does not see what is watched.
    current_media: group.passwordHash === null ? group.timeline.mediaId : null,
    is_playing: group.timeline.state === 'playing' || group.timeline.state === 'waiting',
    created_at: unixSeconds(group.createdAt),
  }
}
