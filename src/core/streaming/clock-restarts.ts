import type { PacketFacts } from '../platform/media-tools/index.ts'
import type { ClockJump, StreamIndex } from '../probing/index.ts'
import type { StreamJob } from './stream-job.ts'

/** ffmpeg takes what is longer for a jump, too. */
const SHORTEST_JUMP_MICROSECONDS = 10_000_000
/** Frames come in the order of decoding: some are shown earlier than the one before, by less than this. */
const LONGEST_REORDERING_MICROSECONDS = 2_000_000
/** Sound may begin and end so much beside the picture. */
const SOUND_MARGIN_MICROSECONDS = 2_000_000
/** After 33 bits of 1/90,000 s the clock of a transport stream begins at zero. */
export const CLOCK_CYCLE_MICROSECONDS = (2 ** 33 * 1_000_000) / 90_000
/** A recording that restarts more often is damaged. */
const MOST_JUMPS = 100
/** Distance of the places where reading may begin. */
const ENTRY_MICROSECONDS = 5_000_000

/** Whether a clock jumps back anywhere: then a time does not tell a place in the file. Pure. */
export function restarts(picture: readonly PacketFacts[]): boolean {
  let latest = -Infinity
  return unwrapped(picture).some(({ microseconds }) => {
    const isBack = microseconds < latest - LONGEST_REORDERING_MICROSECONDS
    latest = Math.max(latest, microseconds)
    return isBack
  })
}

/** Packets with times that go on where the clock wraps, on the cycle of the first one. */
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
 * The packets of a clock that restarts, with times that go on, and its jumps in the order of the file. Undefined where a jump cannot be
 * reached: no key frame behind it tells its place. Pure.
 * @param picture in the order of the file
 * @param sound likewise; it tells jumps ahead from missing pictures
 */
export function followClock(
  picture: readonly PacketFacts[],
  sound: readonly PacketFacts[],
): { packets: PacketFacts[]; jumps: ClockJump[] } | undefined {
  const sections = sectionsOf(unwrapped(picture), sound)
  if (sections.length > MOST_JUMPS + 1) return undefined
  const jumps: ClockJump[] = []
  const packets = [...(sections[0]?.packets ?? [])]
  let sum = 0
  for (const [place, { first, keyPosition, packets: own }] of sections.slice(1).entries()) {
    const end = sections[place]?.end ?? first
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
    const isBack = at < latest - LONGEST_REORDERING_MICROSECONDS
    const isAhead = at > latest + SHORTEST_JUMP_MICROSECONDS && !hasSoundBetween(before, packet, sound)
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

/** Whether sound that lies between two frames in the file goes on between their times. */
function hasSoundBetween(before: PacketFacts | undefined, behind: PacketFacts, sound: readonly PacketFacts[]): boolean {
  if (before?.position == null || behind.position === null) return false
  const [from, until] = [before.microseconds, behind.microseconds]
  return sound.some(({ position, microseconds }) => {
    if (position === null || position <= (before.position ?? 0) || position >= (behind.position ?? 0)) return false
    const at = nearest(microseconds, (from + until) / 2)
    return at > from + SOUND_MARGIN_MICROSECONDS && at < until - SOUND_MARGIN_MICROSECONDS
  })
}

type Jumps = StreamJob['source']['jumps']
type Entry = StreamJob['source']['entries'][number]

/** Whether the jumps are those of a clock that restarts, which are told by their order and not by their times. */
export function isOrdered(jumps: readonly Pick<ClockJump, 'position'>[]): boolean {
  return jumps.some(({ position }) => position !== null)
}

/**
 * Places in the file where reading may begin: key frames, some seconds apart. None for a clock that does not restart: there times tell the
 * places. Pure.
 * @param zero of the job, on the clock of the index
 */
export function entriesOf(index: StreamIndex, zero: number): Entry[] {
  if (!isOrdered(index.jumps)) return []
  const known = placesBehindJumps(index)
  const positions = keyFramePositions(index, known)
  const entries: Entry[] = []
  for (const [place, time] of index.keyFrameMicroseconds.entries()) {
    const microseconds = time - zero
    const isFar = microseconds - (entries.at(-1)?.microseconds ?? -Infinity) >= ENTRY_MICROSECONDS
    if (isFar || known.has(place)) entries.push({ microseconds, position: Math.max(0, positions[place] ?? 0) })
  }
  return entries
}

/** Which key frames stand first behind a jump, and where in the file. */
function placesBehindJumps({ jumps, keyFrameMicroseconds: times }: StreamIndex): Map<number, number> {
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

/** Where each key frame is in the file: some are known, and so are the bytes from each to the next. */
function keyFramePositions({ keyFrameBytes: bytes }: StreamIndex, known: ReadonlyMap<number, number>): number[] {
  const [earliest = 0] = known.keys()
  const positions: number[] = []
  positions[earliest] = known.get(earliest) ?? 0
  for (let place = earliest; place > 0; place -= 1) {
    positions[place - 1] = (positions[place] ?? 0) - (bytes[place - 1] ?? 0)
  }
  for (let place = earliest + 1; place < bytes.length; place += 1) {
    positions[place] = known.get(place) ?? (positions[place - 1] ?? 0) + (bytes[place - 1] ?? 0)
  }
  return positions
}

/** Where a process begins to read: how many jumps lie before, and what the clock says there. */
export type ClockPlace = Readonly<{ section: number; microseconds: number }>

/** Pure. */
export function clockPlace(jumps: Jumps, entry: Pick<Entry, 'microseconds'>): ClockPlace {
  let [section, sum] = [0, 0]
  for (const { atMicroseconds, byMicroseconds } of jumps) {
    if (entry.microseconds < atMicroseconds - sum - 1) break
    section += 1
    sum += byMicroseconds
  }
  return { section, microseconds: entry.microseconds + sum }
}
