/** A packet as ffprobe reports it, in ticks of 1/90,000 s. */
export type ProbedPacket = { kind: 'video' | 'audio'; pts: number; dts: number; isKey: boolean }

/** A packet and the position of the first byte of the PES packet that contains it. */
export type PlacedPacket = { packet: ProbedPacket; position: number }

type Unit = { position: number; contents: Buffer[] }

const PACKET_BYTES = 188
const TICKS_PER_SECOND = 90_000
const SAMPLES_PER_AUDIO_PACKET = 1024
/** ISO 14496-3, table 1.18. */
const SAMPLE_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]

/**
 * Returns all packets of a transport stream with H.264 and AAC, in the order in which they begin (ISO 13818-1, 2.4.3). It does without the
 * start of an ffprobe process and shares no code with the reader of the product; a test compares it with ffprobe.
 * @throws Error for another codec, and for bytes that are not a transport stream
 */
export function readTransportPackets(bytes: Buffer): PlacedPacket[] {
  const units: Unit[] = []
  const current = new Map<number, Unit>()
  for (let at = 0; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    if (bytes[at] !== 0x47) throw new Error(`no transport stream: no packet begins at ${at}`)
    const pid = bytes.readUInt16BE(at + 1) & 0x1f_ff
    const control = bytes.readUInt8(at + 3)
    if ((control & 0x10) === 0) continue
    const begin = at + 4 + ((control & 0x20) === 0 ? 0 : 1 + bytes.readUInt8(at + 4))
    const content = bytes.subarray(begin, at + PACKET_BYTES)
    const isStart = (bytes.readUInt8(at + 1) & 0x40) !== 0
    if (isStart && content.length >= 4 && content.readUIntBE(0, 3) === 1) {
      const unit = { position: at, contents: [] }
      units.push(unit)
      current.set(pid, unit)
    } else if (isStart) current.delete(pid)
    current.get(pid)?.contents.push(content)
  }
  return units.flatMap(({ position, contents }) =>
    packetsOfUnit(Buffer.concat(contents)).map((packet) => ({ packet, position })),
  )
}

function packetsOfUnit(unit: Buffer): ProbedPacket[] {
  const stream = unit.readUInt8(3)
  const hasDecodingTime = (unit.readUInt8(7) & 0x40) !== 0
  const pts = timeAt(unit, 9)
  const dts = hasDecodingTime ? timeAt(unit, 14) : pts
  const payload = unit.subarray(9 + unit.readUInt8(8))
  if ((stream & 0xf0) === 0xe0) return [{ kind: 'video', pts, dts, isKey: hasKeyPicture(payload) }]
  if ((stream & 0xe0) !== 0xc0) throw new Error(`no H.264 and no AAC: stream ${stream}`)
  return audioOffsets(payload).map((offset) => ({ kind: 'audio', pts: pts + offset, dts: dts + offset, isKey: true }))
}

/** A time of 33 bits in five bytes (ISO 13818-1, 2.4.3.7). */
function timeAt(unit: Buffer, at: number): number {
  const high = (unit.readUInt8(at) >> 1) & 0x07
  return high * 2 ** 30 + (unit.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (unit.readUInt16BE(at + 3) >> 1)
}

/** Whether a picture contains an IDR slice (ISO 14496-10, table 7-1). */
function hasKeyPicture(payload: Buffer): boolean {
  for (let at = payload.indexOf('000001', 0, 'hex'); at >= 0; at = payload.indexOf('000001', at + 3, 'hex')) {
    const type = (payload[at + 3] ?? 0) & 0x1f
    if (type === 5) return true
    if (type === 1) return false
  }
  return false
}

/** The times of the complete ADTS frames of a unit after its first one, in ticks (ISO 14496-3, 1.A.3). */
function audioOffsets(payload: Buffer): number[] {
  const offsets: number[] = []
  for (let at = 0; at + 7 <= payload.length;) {
    if (payload.readUInt16BE(at) >> 4 !== 0xf_ff) throw new Error(`no AAC at byte ${at} of a unit`)
    const rate = SAMPLE_RATES[(payload.readUInt8(at + 2) >> 2) & 0x0f] ?? 0
    const length = (payload.readUIntBE(at + 3, 3) >> 5) & 0x1f_ff
    if (length < 7 || at + length > payload.length) break
    offsets.push(Math.round((offsets.length * SAMPLES_PER_AUDIO_PACKET * TICKS_PER_SECOND) / rate))
    at += length
  }
  return offsets
}
