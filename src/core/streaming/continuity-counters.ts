import { STREAM_PACKET_BYTES, type PacketCounts } from './transport-stream.ts'

/** Continuity counters have four bits. */
const CYCLE = 16

const HEADER_BYTES = 4
const CONTENT_BYTES = STREAM_PACKET_BYTES - HEADER_BYTES

type Progress = { counter: number; missing: number; places: number; counts: PacketCounts }

/**
 * Makes a segment such that any other may follow it: RFC 8216, section 3, wants continuity counters to go on from one
 * segment to the next, and a segment that is made by itself cannot know how many packets came before. So every segment
 * gets a multiple of sixteen packets of each identifier, counted from zero: packets are split in two, tables repeated,
 * as many as are missing. What they carry stays the same to the byte.
 */
export class ContinuityCounters {
  readonly #progress = new Map<number, Progress>()

  /** @param counts of the whole segment, by packet identifier */
  constructor(counts: ReadonlyMap<number, PacketCounts>) {
    for (const [pid, known] of counts) {
      this.#progress.set(pid, {
        counter: 0,
        missing: (CYCLE - (known.content % CYCLE)) % CYCLE,
        // The start of a unit is split only where there is nothing else.
        places: known.isTable || known.divisible === 0 ? known.content : known.divisible,
        counts: known,
      })
    }
  }

  /** The next whole packets of the segment, rewritten; `bytes` are overwritten. */
  push(bytes: Uint8Array): Uint8Array[] {
    const parts: Uint8Array[] = []
    let begin = 0
    for (let at = 0; at < bytes.length; at += STREAM_PACKET_BYTES) {
      const end = at + STREAM_PACKET_BYTES
      const added = this.#rewrite(bytes.subarray(at, end))
      if (added === undefined) continue
      parts.push(bytes.subarray(begin, at), ...added)
      begin = end
    }
    parts.push(bytes.subarray(begin))
    return parts
  }

  /** Numbers a packet where it lies, or answers with what takes its place. */
  #rewrite(packet: Uint8Array): Uint8Array[] | undefined {
    const progress = this.#progress.get((((packet[1] ?? 0) & 0x1f) << 8) | (packet[2] ?? 0))
    const contentBytes = contentBytesOf(packet)
    if (progress === undefined || contentBytes === 0) {
      // A packet without content repeats the counter of the one before.
      number(packet, (progress?.counter ?? 0) - 1)
      return undefined
    }
    const extras = this.#extras(packet, progress, contentBytes)
    if (extras === 0) {
      number(packet, progress.counter++)
      return undefined
    }
    const pieces = progress.counts.isTable
      ? Array.from({ length: extras + 1 }, () => Uint8Array.from(packet))
      : split(packet, { contentBytes, pieces: extras + 1 })
    for (const piece of pieces) number(piece, progress.counter++)
    return pieces
  }

  /** How many packets are added at this one: what is missing is spread over the places that are left. */
  #extras(packet: Uint8Array, progress: Progress, contentBytes: number): number {
    const { counts, missing, places } = progress
    const isStart = ((packet[1] ?? 0) & 0x40) !== 0
    const isPlace = counts.isTable || counts.divisible === 0 || (!isStart && contentBytes > 1)
    if (!isPlace || missing === 0) return 0
    const wanted = Math.ceil(missing / Math.max(1, places))
    const extras = counts.isTable ? wanted : Math.min(wanted, contentBytes - 1)
    progress.missing -= extras
    progress.places -= 1
    return extras
  }
}

function contentBytesOf(packet: Uint8Array): number {
  const control = packet[3] ?? 0
  if ((control & 0x10) === 0) return 0
  return CONTENT_BYTES - ((control & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0))
}

/** Gives a packet this counter, and takes away the mark that counting begins anew. */
function number(packet: Uint8Array, counter: number): void {
  const control = packet[3] ?? 0
  packet[3] = (control & 0xf0) | (counter & 0x0f)
  if ((control & 0x20) !== 0 && (packet[4] ?? 0) > 0) packet[5] = (packet[5] ?? 0) & 0x7f
}

/** Spreads the content over several packets; clocks and the mark of a unit's start stay with the first. */
function split(packet: Uint8Array, { contentBytes, pieces }: { contentBytes: number; pieces: number }): Uint8Array[] {
  const content = packet.subarray(STREAM_PACKET_BYTES - contentBytes)
  // The first keeps as much as it can: a unit's header must not be torn.
  const last = Math.max(1, Math.floor(contentBytes / 2 / (pieces - 1)))
  const lengths = [contentBytes - last * (pieces - 1), ...Array.from({ length: pieces - 1 }, () => last)]
  let at = 0
  return lengths.map((length, index) => {
    at += length
    return filledUp(packet, { content: content.subarray(at - length, at), isFirst: index === 0 })
  })
}

/** One packet of less content, filled up by its adaptation field (ISO 13818-1, 2.4.3.4). */
function filledUp(packet: Uint8Array, { content, isFirst }: { content: Uint8Array; isFirst: boolean }): Uint8Array {
  const made = new Uint8Array(STREAM_PACKET_BYTES).fill(0xff)
  const fieldBytes = CONTENT_BYTES - content.length
  const hadField = ((packet[3] ?? 0) & 0x20) !== 0
  made.set(packet.subarray(0, HEADER_BYTES))
  made[3] = (packet[3] ?? 0) | 0x30
  if (!isFirst) made[1] = (packet[1] ?? 0) & 0xbf
  if (fieldBytes > 1) made[5] = 0
  if (isFirst && hadField && (packet[4] ?? 0) > 0) {
    made.set(packet.subarray(HEADER_BYTES, HEADER_BYTES + 1 + (packet[4] ?? 0)), HEADER_BYTES)
  }
  made[4] = fieldBytes - 1
  made.set(content, STREAM_PACKET_BYTES - content.length)
  return made
}
