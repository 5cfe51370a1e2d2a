import { GROUP_TIMES } from '../group/limits.ts'
import type { WatchGroup, GroupMember } from '../group/group.ts'

/** Increases when the form of a stored state changes; older states are dropped. */
const FORMAT = 3

/**
 * Smaller differences between the server times of two processes are not corrected, because the duration of a statement is not known more
 * exactly.
 */
const TOLERANCE_MILLISECONDS = 1000

type Stored = Omit<WatchGroup, 'members'> & { format: number; writtenAt: number; members: GroupMember[] }

/**
 * The state of a group as JSON, for another process.
 * @param now server time of this process in milliseconds
 */
export function serializeGroup(group: WatchGroup, now: number): string {
  return JSON.stringify({ ...group, format: FORMAT, writtenAt: now, members: [...group.members.values()] })
}

/**
 * Reads a state, and converts its times to the server time of this process.
 * @param times in milliseconds: `now` is the server time of this process, `age` the time since the state was written
 * @returns undefined for a state of another format
 */
export function deserializeGroup(text: string, { now, age }: { now: number; age: number }): WatchGroup | undefined {
  const { format, writtenAt, ...stored } = JSON.parse(text) as Stored
  if (format !== FORMAT) return undefined
  const difference = now - age - writtenAt
  const offset = Math.abs(difference) > TOLERANCE_MILLISECONDS ? difference : 0
  const members = new Map(stored.members.map((member) => [member.id, moveMember(member, offset)]))
  const { timeline, queue, chat, createdAt, lastActivityAt, waitingUntil } = stored
  return {
    ...stored,
    members,
    createdAt: createdAt + offset,
    lastActivityAt: lastActivityAt + offset,
    waitingUntil: moved(waitingUntil, offset),
    timeline: { ...timeline, atMilliseconds: timeline.atMilliseconds + offset },
    queue: queue.map((entry) => Object.assign(entry, { addedAt: entry.addedAt + offset })),
    chat: chat.map((message) => Object.assign(message, { at: message.at + offset })),
    announceAt: null,
    announcedAt: 0,
  }
}

/**
 * Takes a stored group over for this process. Its members are not connected here yet, and keep their seats for a limited time. Changes that the
 * previous process did not store are lost. The timeline therefore gets a sequence number above all that the previous process can have sent, and
 * counts as a jump.
 * @param now server time in milliseconds
 */
export function adoptStoredGroup(group: WatchGroup, now: number): WatchGroup {
  const lost = { isConnected: false, seatUntil: now + GROUP_TIMES.seat, stalledAt: null }
  const members = new Map([...group.members].map(([id, member]) => [id, { ...member, ...lost }]))
  const { seq, epoch } = group.timeline
  const timeline = { ...group.timeline, seq: seq + UNSTORED_CHANGES, epoch: epoch + 1 }
  return { ...group, members, timeline, jumpSeq: timeline.seq, lastCommand: null, lastActivityAt: now }
}

/** More changes than a process makes while it cannot store a state. */
const UNSTORED_CHANGES = 1000

const moved = (time: number | null, offset: number): number | null => (time === null ? null : time + offset)

function moveMember(member: GroupMember, offset: number): GroupMember {
  const { joinedAt, seatUntil, stalledAt, heldGroupAt } = member
  return {
    ...member,
    joinedAt: joinedAt + offset,
    seatUntil: moved(seatUntil, offset),
    stalledAt: moved(stalledAt, offset),
    heldGroupAt: moved(heldGroupAt, offset),
  }
}
