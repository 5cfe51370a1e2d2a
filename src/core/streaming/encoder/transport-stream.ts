/**
 * Presentation and decoding time of one unit of a transport stream, in ticks of 1/90,000 s. `isRandomAccess` marks units at which
 * decoding may begin.
 */
export type StreamUnit = Readonly<{ pts: number; dts: number; isRandomAccess: boolean }>

/** The properties of a transport stream that matter to players and to joining segments. */
export type TransportStream = Readonly<{
  /** Units of the first video stream and of the first audio stream, in file order. */
  video: readonly StreamUnit[]
  /** A unit may contain several audio packets. */
  audio: readonly StreamUnit[]
  /** Number of complete audio packets (ADTS frames; ISO 14496-3, 1.A.3). */
  audioPackets: number
  /** Whether the stream ends within an audio packet. */
  isAudioCut: boolean
  /** Packet counts by packet identifier, required to rewrite the continuity counters. */
  counts: ReadonlyMap<number, PacketCounts>
}>

/** Counts of the packets with payload of one identifier. */
export type PacketCounts = {
  /** All packets. */
  content: number
  /** Packets that can be split in two: they do not begin a unit and hold more than one byte. */
  divisible: number
  /** Tables are repeated instead of split. */
  isTable: boolean
}

export const STREAM_PACKET_BYTES = 188

const SYNC_BYTE = 0x47
const H264_STREAM_TYPE = 0x1b
const AAC_STREAM_TYPE = 0x0f
/** Lower identifiers belong to tables that every stream has (ISO 13818-1, table 2-3; DVB's service description). */
const FIRST_FREE_PID = 0x20

/**
 * Parses the program tables and the timestamps of a transport stream with H.264 video and AAC audio (ISO 13818-1, 2.4).
 * @returns undefined if the bytes are not complete packets of one program
 */
export function readTransportStream(bytes: Uint8Array): TransportStream | undefined {
  const reader = new TransportStreamReader()
  return reader.push(bytes) ? reader.end() : undefined
}

/** Parses a stream that arrives in parts of complete packets. */
export class TransportStreamReader {
  readonly #found = { video: [] as StreamUnit[], audio: [] as StreamUnit[] }
  readonly #kinds = new Map<number, 'table' | 'video' | 'audio'>()
  readonly #counts = new Map<number, PacketCounts>()
  readonly #sound = new AdtsCounter()

  /** Parses a part. Returns false if the bytes are not a transport stream. */
  push(bytes: Uint8Array): boolean {
    if (bytes.length % STREAM_PACKET_BYTES !== 0) return false
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    try {
      for (let at = 0; at < bytes.length; at += STREAM_PACKET_BYTES) {
        if (!this.#read(view, at, bytes)) return false
      }
      return true
    } catch (error) {
      // A length inside a table exceeds the buffer.
      if (error instanceof RangeError) return false
      throw error
    }
  }

  /** Returns the result; undefined if no packets were found. */
  end(): TransportStream | undefined {
    if (this.#counts.size === 0) return undefined
    const { packets, isCut } = this.#sound
    return { ...this.#found, audioPackets: packets, isAudioCut: isCut, counts: this.#counts }
  }

  #read(view: DataView, at: number, bytes: Uint8Array): boolean {
    const packet = readPacket(view, at)
    if (packet === undefined) return false
    const end = at + STREAM_PACKET_BYTES
    if (!packet.hasContent || packet.contentAt >= end) return true
    const kind = packet.pid === 0 ? 'programmes' : this.#kinds.get(packet.pid)
    this.#count(packet, { isTable: kind === 'programmes' || kind === 'table', bytes: end - packet.contentAt })
    if (packet.startsUnit) this.#readStart(view, packet, kind)
    if (kind === 'audio') this.#sound.push(bytes.subarray(contentBehindHeader(view, packet), end))
    return true
  }

  #readStart(view: DataView, packet: Packet, kind: 'programmes' | 'table' | 'video' | 'audio' | undefined): void {
    if (kind === 'programmes') this.#kinds.set(readProgrammeTable(view, packet.contentAt), 'table')
    else if (kind === 'table') {
      for (const [pid, media] of readStreamTable(view, packet.contentAt)) this.#kinds.set(pid, media)
    } else if (kind !== undefined) {
      const times = readTimes(view, packet.contentAt)
      if (times !== undefined) this.#found[kind].push({ ...times, isRandomAccess: packet.isRandomAccess })
    }
  }

  #count({ pid, startsUnit }: Packet, { isTable, bytes }: { isTable: boolean; bytes: number }): void {
    const counts = this.#counts.get(pid) ?? { content: 0, divisible: 0, isTable: isTable || pid < FIRST_FREE_PID }
    counts.content += 1
    if (!startsUnit && bytes > 1) counts.divisible += 1
    this.#counts.set(pid, counts)
  }
}

/** Counts audio packets by their lengths, across the packets of the transport stream. */
class AdtsCounter {
  packets = 0
  /** Remaining bytes until the next header. */
  #left = 0
  #header: number[] = []

  get isCut(): boolean {
    return this.#left > 0 || this.#header.length > 0
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      const skipped = Math.min(this.#left, bytes.length - at)
      at += skipped
      this.#left -= skipped
      for (; this.#left === 0 && at < bytes.length; at += 1) this.#take(bytes[at] ?? 0)
    }
  }

  /** The length is in bits 30 to 42 of the header and includes the header. */
  #take(byte: number): void {
    this.#header.push(byte)
    const [a = 0, b = 0, , d = 0, e = 0, f = 0] = this.#header
    if (this.#header.length < 6) return
    const length = ((d & 0x03) << 11) | (e << 3) | (f >>> 5)
    const isHeader = a === 0xff && (b & 0xf6) === 0xf0 && length >= 7
    if (!isHeader) {
      this.#header.shift()
      return
    }
    this.packets += 1
    this.#left = length - this.#header.length
    this.#header = []
  }
}

type Packet = { pid: number; startsUnit: boolean; isRandomAccess: boolean; hasContent: boolean; contentAt: number }

function readPacket(view: DataView, at: number): Packet | undefined {
  if (view.getUint8(at) !== SYNC_BYTE) return undefined
  const flags = view.getUint16(at + 1)
  const control = view.getUint8(at + 3)
  const hasAdaptation = (control & 0x20) !== 0
  const hasPayload = (control & 0x10) !== 0
  const adaptationBytes = hasAdaptation ? 1 + view.getUint8(at + 4) : 0
  return {
    pid: flags & 0x1fff,
    startsUnit: hasPayload && (flags & 0x4000) !== 0,
    isRandomAccess: adaptationBytes > 1 && (view.getUint8(at + 5) & 0x40) !== 0,
    hasContent: hasPayload,
    contentAt: at + 4 + adaptationBytes,
  }
}

/** Returns the offset of the section: the pointer field counts the bytes between itself and the section. */
function sectionAt(view: DataView, contentAt: number): number {
  return contentAt + 1 + view.getUint8(contentAt)
}

/** Returns the identifier of the packets that describe the first program. */
function readProgrammeTable(view: DataView, contentAt: number): number {
  return view.getUint16(sectionAt(view, contentAt) + 10) & 0x1fff
}

function* readStreamTable(view: DataView, contentAt: number): Generator<[pid: number, kind: 'video' | 'audio']> {
  const section = sectionAt(view, contentAt)
  const end = Math.min(section + 3 + (view.getUint16(section + 1) & 0x0fff) - 4, view.byteLength - 5)
  let at = section + 12 + (view.getUint16(section + 10) & 0x0fff)
  while (at < end) {
    const pid = view.getUint16(at + 1) & 0x1fff
    const streamType = view.getUint8(at)
    if (streamType === H264_STREAM_TYPE) yield [pid, 'video']
    if (streamType === AAC_STREAM_TYPE) yield [pid, 'audio']
    at += 5 + (view.getUint16(at + 3) & 0x0fff)
  }
}

/** Returns the offset of the payload after the header of its unit (ISO 13818-1, 2.4.3.6). */
function contentBehindHeader(view: DataView, { startsUnit, contentAt }: Packet): number {
  return startsUnit ? contentAt + 9 + view.getUint8(contentAt + 8) : contentAt
}

/** Returns the timestamps of a unit's header. Without a decoding time both are equal. */
function readTimes(view: DataView, at: number): { pts: number; dts: number } | undefined {
  if (at + 19 > view.byteLength || view.getUint32(at) >>> 8 !== 1) return undefined
  const flags = view.getUint8(at + 7) >>> 6
  if (flags < 2) return undefined
  const pts = readTime(view, at + 9)
  return { pts, dts: flags === 3 ? readTime(view, at + 14) : pts }
}

/** Reads 33 bits that are spread over five bytes with marker bits between; too large for bitwise operators. */
function readTime(view: DataView, at: number): number {
  const high = (view.getUint8(at) >>> 1) & 0x07
  const middle = view.getUint16(at + 1) >>> 1
  const low = view.getUint16(at + 3) >>> 1
  return high * 2 ** 30 + middle * 2 ** 15 + low
}
