import type { PacketFacts } from '../../platform/media-tools/index.ts'
import type { ClockJump, StreamIndex } from '../../probing/index.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

/** ffmpeg also treats a longer gap as a jump. */
const MIN_JUMP_MICROSECONDS = 10_000_000
/** Frames are stored in decoding order. A frame may be presented earlier than its predecessor by less than this. */
const MAX_REORDERING_MICROSECONDS = 2_000_000
/** Audio may begin and end this much before or after the video. */
const SOUND_MARGIN_MICROSECONDS = 2_000_000
/** The clock of a transport stream wraps after 33 bits of 1/90,000 s. */
export const CLOCK_CYCLE_MICROSECONDS = (2 ** 33 * 1_000_000) / 90_000
/** A recording with more restarts is considered damaged. */
const MAX_JUMPS = 100
/** Minimum distance between the places where reading may begin. */
const ENTRY_MICROSECONDS = 5_000_000

/** Returns whether the clock goes back anywhere. If it does, a timestamp does not identify a position in the file. Pure. */
export function hasClockRestarts(picture: readonly PacketFacts[]): boolean {
  let latest = -Infinity
  return unwrapped(picture).some(({ microseconds }) => {
    const isBack = microseconds < latest - MAX_REORDERING_MICROSECONDS
    latest = Math.max(latest, microseconds)
    return isBack
  })
}

/** Returns the packets with timestamps unwrapped: they continue where the clock wraps, on the cycle of the first packet. */
function unwrapped(packets: readonly PacketFacts[], from = packets[0]?.microseconds ?? 0): PacketFacts[] {
  let before = from
  return packets.map((packet) => {
    before = nearest(packet.microseconds, before)
    return { ...packet, microseconds: before }
  })
}

function nearest(microseconds: number, to: number): number {
  const cycles = Math.round((microseconds - to) / CLOCK_CYCLE_MICROSECONDS)
  return microseconds - Math.round(cycles * CLOCK_CYCLE_MICROSECONDS)
}

type Section = { packets: PacketFacts[]; first: number; end: number; keyPosition: number | null }

/**
 * Returns the packets of a restarting clock with continuous timestamps, and its jumps in file order. Returns undefined if a jump cannot
 * be reached because no key frame after it has a known position. Pure.
 * @param picture video packets in file order
 * @param sound audio packets in file order; they distinguish jumps ahead from missing video
 */
export function makeClockContinuous(
  picture: readonly PacketFacts[],
  sound: readonly PacketFacts[],
): { packets: PacketFacts[]; jumps: ClockJump[] } | undefined {
  const sections = sectionsOf(unwrapped(picture), sound)
  if (sections.length > MAX_JUMPS + 1) return undefined
  const jumps: ClockJump[] = []
  const packets = [...(sections[0]?.packets ?? [])]
  let sum = 0
  for (const [index, { first, keyPosition, packets: own }] of sections.slice(1).entries()) {
    const end = sections[index]?.end ?? first
    if (keyPosition === null) return undefined
    sum += first - end
    jumps.push({ atMicroseconds: end, byMicroseconds: first - end, position: keyPosition })
    for (const packet of own) packets.push({ ...packet, microseconds: packet.microseconds - sum })
  }
  return { packets, jumps }
}

function sectionsOf(picture: readonly PacketFacts[], sound: readonly PacketFacts[]): Section[] {
  const sections: Section[] = []
  let section: Section | undefined
  let [before, latest]: [PacketFacts | undefined, number] = [undefined, -Infinity]
  for (const packet of picture) {
    const at = packet.microseconds
    const isBack = at < latest - MAX_REORDERING_MICROSECONDS
    const isAhead = at > latest + MIN_JUMP_MICROSECONDS && !hasSoundBetween(before, packet, sound)
    if (section === undefined || isBack || isAhead) {
      section = { packets: [], first: at, end: at, keyPosition: null }
      sections.push(section)
      latest = at
    }
    section.packets.push(packet)
    if (packet.isKey) section.keyPosition ??= packet.position
    section.first = Math.min(section.first, at)
    section.end = Math.max(section.end, at + packet.durationMicroseconds)
    latest = Math.max(latest, at)
    before = packet
  }
  return sections
}

/** Returns whether the audio that lies between two frames in the file continues between their timestamps. */
function hasSoundBetween(before: PacketFacts | undefined, behind: PacketFacts, sound: readonly PacketFacts[]): boolean {
  if (before?.position == null || behind.position === null) return false
  const [from, until] = [before.microseconds, behind.microseconds]
  return sound.some(({ position, microseconds }) => {
    if (position === null || position <= (before.position ?? 0) || position >= (behind.position ?? 0)) return false
    const at = nearest(microseconds, (from + until) / 2)
    return at > from + SOUND_MARGIN_MICROSECONDS && at < until - SOUND_MARGIN_MICROSECONDS
  })
}

type Jumps = StreamPlan['source']['jumps']
type Entry = StreamPlan['source']['entries'][number]

/** Returns whether the jumps belong to a restarting clock. Such jumps are identified by their order, not by their timestamps. */
export function isRestartingClock(jumps: readonly Pick<ClockJump, 'position'>[]): boolean {
  return jumps.some(({ position }) => position !== null)
}

/**
 * Returns the places in the file where reading may begin: key frames, some seconds apart. Empty for a clock that does not restart,
 * because timestamps identify positions there. Pure.
 * @param zero of the job, on the clock of the index
 */
export function findEntryPoints(index: StreamIndex, zero: number): Entry[] {
  if (!isRestartingClock(index.jumps)) return []
  const known = keyFramesAfterJumps(index)
  const positions = keyFramePositions(index, known)
  const entries: Entry[] = []
  for (const [keyFrame, time] of index.keyFrameMicroseconds.entries()) {
    const microseconds = time - zero
    const isFar = microseconds - (entries.at(-1)?.microseconds ?? -Infinity) >= ENTRY_MICROSECONDS
    if (isFar || known.has(keyFrame)) entries.push({ microseconds, position: Math.max(0, positions[keyFrame] ?? 0) })
  }
  return entries
}

/** Returns the first key frame after each jump, with its position in the file. */
function keyFramesAfterJumps({ jumps, keyFrameMicroseconds: times }: StreamIndex): Map<number, number> {
  const known = new Map<number, number>()
  let sum = 0
  for (const { atMicroseconds, byMicroseconds, position } of jumps) {
    const begins = atMicroseconds - sum
    sum += byMicroseconds
    const first = times.findIndex((at) => at >= begins - 1)
    if (first !== -1 && position !== null) known.set(first, position)
  }
  return known
}

/** Returns the file position of each key frame, derived from the known positions and the number of bytes between key frames. */
function keyFramePositions({ keyFrameBytes: bytes }: StreamIndex, known: ReadonlyMap<number, number>): number[] {
  const [earliest = 0] = known.keys()
  const positions: number[] = []
  positions[earliest] = known.get(earliest) ?? 0
  for (let index = earliest; index > 0; index -= 1) {
    positions[index - 1] = (positions[index] ?? 0) - (bytes[index - 1] ?? 0)
  }
  for (let index = earliest + 1; index < bytes.length; index += 1) {
    positions[index] = known.get(index) ?? (positions[index - 1] ?? 0) + (bytes[index - 1] ?? 0)
  }
  return positions
}

/** The place where a process begins to read: the number of jumps before it, and the clock's time there. */
export type ClockState = Readonly<{ section: number; microseconds: number }>

/** Returns the clock's state at an entry. Pure. */
export function clockStateAt(jumps: Jumps, entry: Pick<Entry, 'microseconds'>): ClockState {
  let [section, sum] = [0, 0]
  for (const { atMicroseconds, byMicroseconds } of jumps) {
    if (entry.microseconds < atMicroseconds - sum - 1) break
    section += 1
    sum += byMicroseconds
  }
  return { section, microseconds: entry.microseconds + sum }
}
