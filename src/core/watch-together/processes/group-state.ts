import { GROUP_TIMES } from '../group/limits.ts'
import type { Group, Member } from '../group/group.ts'

/** Increases when the form of a stored state changes; older states are dropped. */
const FORMAT = 1

/** The state of a group as JSON, for another process. */
export function writeState(group: Group): string {
  return JSON.stringify({ ...group, format: FORMAT, members: [...group.members.values()] })
}

/**
 * Reads a stored state. Its members are not connected to this process yet, and keep their seats.
 * @param now server time in milliseconds
 * @returns undefined for a state of another format
 */
export function readState(text: string, now: number): Group | undefined {
  const { format, ...stored } = JSON.parse(text) as Omit<Group, 'members'> & { format: number; members: Member[] }
  if (format !== FORMAT) return undefined
  const lost = { isConnected: false, seatUntil: now + GROUP_TIMES.seat, stalledAt: null }
  const members = new Map(stored.members.map((member) => [member.id, { ...member, ...lost }]))
  return { ...stored, members, lastActivityAt: now, announceAt: null, announcedAt: 0 }
}
