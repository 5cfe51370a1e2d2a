/**
 * When one unit of a transport stream is shown and decoded, in ticks of 1/90,000 s; `isRandomAccess` where decoding may
 * begin.
 */
export type StreamUnit = Readonly<{ pts: number; dts: number; isRandomAccess: boolean }>

/**
 * The units of the first video and the first sound stream, in file order. Sound units may hold several packets of
 * sound.
 */
export type TransportStream = Readonly<{ video: readonly StreamUnit[]; audio: readonly StreamUnit[] }>

const STREAM_PACKET_BYTES = 188

const SYNC_BYTE = 0x47
const H264_STREAM_TYPE = 0x1b
const AAC_STREAM_TYPE = 0x0f

/**
 * Reads the programme tables and the time stamps of a transport stream (ISO 13818-1, 2.4), the picture and sound being
 * H.264 and AAC.
 * @returns undefined where the bytes are not whole packets of one programme
 */
export function readTransportStream(bytes: Uint8Array): TransportStream | undefined {
  if (bytes.length === 0 || bytes.length % STREAM_PACKET_BYTES !== 0) return undefined
  try {
    return readPackets(bytes)
  } catch (error) {
    // Lengths inside the tables lead out of the bytes.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readPackets(bytes: Uint8Array): TransportStream | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = { video: [] as StreamUnit[], audio: [] as StreamUnit[] }
  const kinds = new Map<number, 'table' | keyof typeof found>()
  for (let at = 0; at < bytes.length; at += STREAM_PACKET_BYTES) {
    const packet = readPacket(view, at)
    if (packet === undefined) return undefined
    if (!packet.startsUnit || packet.payloadAt >= at + STREAM_PACKET_BYTES) continue
    const kind = packet.pid === 0 ? 'programmes' : kinds.get(packet.pid)
    if (kind === 'programmes') kinds.set(readProgrammeTable(view, packet.payloadAt), 'table')
    else if (kind === 'table') {
      for (const [pid, media] of readStreamTable(view, packet.payloadAt)) kinds.set(pid, media)
    } else if (kind !== undefined) {
      const times = readTimes(view, packet.payloadAt)
      if (times !== undefined) found[kind].push({ ...times, isRandomAccess: packet.isRandomAccess })
    }
  }
  return found
}

type Packet = { pid: number; startsUnit: boolean; isRandomAccess: boolean; payloadAt: number }

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
    payloadAt: at + 4 + adaptationBytes,
  }
}

/** The table's pointer field counts the bytes between it and the section. */
function sectionAt(view: DataView, payloadAt: number): number {
  return payloadAt + 1 + view.getUint8(payloadAt)
}

/** The identifier of the packets that describe the first programme. */
function readProgrammeTable(view: DataView, payloadAt: number): number {
  return view.getUint16(sectionAt(view, payloadAt) + 10) & 0x1fff
}

function* readStreamTable(view: DataView, payloadAt: number): Generator<[pid: number, kind: 'video' | 'audio']> {
  const section = sectionAt(view, payloadAt)
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

/** Time stamps of a unit's header; without a decoding time the two are the same. */
function readTimes(view: DataView, at: number): { pts: number; dts: number } | undefined {
  if (at + 19 > view.byteLength || view.getUint32(at) >>> 8 !== 1) return undefined
  const flags = view.getUint8(at + 7) >>> 6
  if (flags < 2) return undefined
  const pts = readTime(view, at + 9)
  return { pts, dts: flags === 3 ? readTime(view, at + 14) : pts }
}

/** 33 bits, spread over five bytes with marker bits between; too large for bit operations. */
function readTime(view: DataView, at: number): number {
  const high = (view.getUint8(at) >>> 1) & 0x07
  const middle = view.getUint16(at + 1) >>> 1
  const low = view.getUint16(at + 3) >>> 1
  return high * 2 ** 30 + middle * 2 ** 15 + low
}
