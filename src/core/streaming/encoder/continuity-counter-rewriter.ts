import { STREAM_PACKET_BYTES, type PacketCounts } from './transport-stream.ts'

/** Continuity counters have four bits. */
const CYCLE = 16

const HEADER_BYTES = 4
const CONTENT_BYTES = STREAM_PACKET_BYTES - HEADER_BYTES

type Progress = { counter: number; missing: number; places: number; counts: PacketCounts }

/**
 * Rewrites a segment so that any other segment may follow it. RFC 8216, section 3, requires continuity counters to continue from one
 * segment to the next, but a segment made on its own cannot know how many packets came before. Every segment therefore gets a multiple of
 * sixteen packets per identifier, counted from zero: packets are split and tables are repeated to add the missing packets. The payload
 * stays identical to the byte.
 */
export class ContinuityCounterRewriter {
  readonly #progress = new Map<number, Progress>()

  /** @param counts packet counts of the whole segment, by packet identifier */
  constructor(counts: ReadonlyMap<number, PacketCounts>) {
    for (const [pid, known] of counts) {
      this.#progress.set(pid, {
        counter: 0,
        missing: (CYCLE - (known.content % CYCLE)) % CYCLE,
        // The first packet of a unit is split only if there are no others.
        places: known.isTable || known.divisible === 0 ? known.content : known.divisible,
        counts: known,
      })
    }
  }

  /** Rewrites the next complete packets of the segment; `bytes` are overwritten. */
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

  /** Sets the counter of a packet in place, or returns the packets that replace it. */
  #rewrite(packet: Uint8Array): Uint8Array[] | undefined {
    const progress = this.#progress.get((((packet[1] ?? 0) & 0x1f) << 8) | (packet[2] ?? 0))
    const contentBytes = contentBytesOf(packet)
    if (progress === undefined || contentBytes === 0) {
      // A packet without payload repeats the counter of its predecessor.
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

  /** Returns how many packets to add at this one: the missing packets are spread over the remaining places. */
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

/** Sets the counter of a packet and clears its discontinuity indicator. */
function number(packet: Uint8Array, counter: number): void {
  const control = packet[3] ?? 0
  packet[3] = (control & 0xf0) | (counter & 0x0f)
  if ((control & 0x20) !== 0 && (packet[4] ?? 0) > 0) packet[5] = (packet[5] ?? 0) & 0x7f
}

/** Splits the payload over several packets. Clock references and the unit start indicator stay in the first one. */
function split(packet: Uint8Array, { contentBytes, pieces }: { contentBytes: number; pieces: number }): Uint8Array[] {
  const content = packet.subarray(STREAM_PACKET_BYTES - contentBytes)
  // The first packet keeps as much as possible, so that the header of a unit is not split.
  const last = Math.max(1, Math.floor(contentBytes / 2 / (pieces - 1)))
  const lengths = [contentBytes - last * (pieces - 1), ...Array.from({ length: pieces - 1 }, () => last)]
  let at = 0
  return lengths.map((length, index) => {
    at += length
    return withStuffing(packet, { content: content.subarray(at - length, at), isFirst: index === 0 })
  })
}

/** Returns a packet with less payload, padded by its adaptation field (ISO 13818-1, 2.4.3.4). */
function withStuffing(packet: Uint8Array, { content, isFirst }: { content: Uint8Array; isFirst: boolean }): Uint8Array {
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
