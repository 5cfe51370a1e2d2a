import type { ByteSource } from '../../platform/files/index.ts'

/** An Ogg page is at most 65,307 bytes long (RFC 3533, 6), so the last page begins within this range. */
const TAIL_BYTES = 65_536
const OPUS_RATE_HZ = 48_000

/**
 * Returns the duration of an Ogg file in seconds from the granule position of its last page; the parser would have to read the whole
 * file. Opus counts at 48 kHz and begins with a pre-skip (RFC 7845, 4). Null if the file is truncated or chained.
 */
export function readOggDuration(source: ByteSource, sampleRateHz: number): number | null {
  const head = viewOf(source.read(0, 64))
  if (head.byteLength < 64 || sampleRateHz <= 0) return null
  const serial = head.getUint32(14, true)
  const packetAt = 27 + head.getUint8(26)
  const isOpus = textAt(head, packetAt, 8) === 'OpusHead' && packetAt + 12 <= 64
  const preSkip = isOpus ? head.getUint16(packetAt + 10, true) : 0
  const granules = lastGranuleOf(source, serial)
  return granules === null ? null : Math.max(0, granules - preSkip) / (isOpus ? OPUS_RATE_HZ : sampleRateHz)
}

function lastGranuleOf(source: ByteSource, serial: number): number | null {
  const start = Math.max(0, source.sizeBytes - TAIL_BYTES)
  const bytes = Buffer.from(source.read(start, TAIL_BYTES))
  for (let at = bytes.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf('OggS', at - 1)) {
    if (at + 18 > bytes.length || bytes.readUInt32LE(at + 14) !== serial) continue
    const granules = Number(bytes.readBigInt64LE(at + 6))
    // -1: no packet ends on this page.
    if (granules >= 0) return granules
  }
  return null
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textAt(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) return ''
  return Buffer.from(view.buffer, view.byteOffset + at, length).toString('latin1')
}
