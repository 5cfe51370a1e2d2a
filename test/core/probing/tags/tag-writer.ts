import { readFileSync } from 'node:fs'
import { sampleMedia } from '../../../support/media.ts'

/** The MPEG frames of a real song, without its tag. */
export async function mpegFrames(): Promise<Buffer> {
  const bytes = readFileSync(await sampleMedia('song-mp3'))
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return bytes
  return bytes.subarray(10 + unsynchsafe(bytes.subarray(6, 10)))
}

/** An ID3v2.4 tag; `claimed` replaces its real size. */
export function id3(frames: readonly Buffer[], claimed?: number): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from('ID3\u0004\0\0', 'latin1'), synchsafe(claimed ?? body.length), body])
}

/** One frame; `claimed` replaces its real size. */
export function frame(id: string, body: Buffer, claimed?: number): Buffer {
  return Buffer.concat([Buffer.from(id, 'latin1'), synchsafe(claimed ?? body.length), Buffer.from([0, 0]), body])
}

/** A text frame in UTF-8. */
export function text(id: string, value: string): Buffer {
  return frame(id, Buffer.concat([Buffer.from([3]), Buffer.from(value, 'utf8')]))
}

/** A text frame in UTF-16 with these code units, which may be invalid. */
export function codeUnits(id: string, units: readonly number[]): Buffer {
  const body = Buffer.alloc(3 + units.length * 2)
  body.set([1, 0xff, 0xfe])
  for (const [index, unit] of units.entries()) body.writeUInt16LE(unit, 3 + index * 2)
  return frame(id, body)
}

/** A user-defined text frame. */
export function named(name: string, value: string): Buffer {
  return text('TXXX', `${name}\0${value}`)
}

/** A front cover. */
export function picture(mime: string, bytes: Uint8Array): Buffer {
  return frame('APIC', Buffer.concat([Buffer.from(`\0${mime}\0\u0003\0`, 'latin1'), bytes]))
}

/** A chapter with a title, in milliseconds. */
export function chapter(id: string, start: number, end: number): Buffer {
  const times = Buffer.alloc(16, 0xff)
  times.writeUInt32BE(start, 0)
  times.writeUInt32BE(end, 4)
  return frame('CHAP', Buffer.concat([Buffer.from(`${id}\0`, 'latin1'), times, text('TIT2', `Part ${id}`)]))
}

/** A FLAC stream header of `samples` at 48 kHz with Vorbis comments and additional metadata blocks. */
export function flac(comments: readonly string[], blocks: readonly Buffer[] = [], samples = 480_000): Buffer {
  const stream = Buffer.alloc(34)
  stream.writeUIntBE((48_000 << 4) | 0, 10, 3)
  stream.writeUInt8(0xf0, 13)
  stream.writeUIntBE(samples, 14, 4)
  // 48000 Hz in 20 bits, 2 channels, 16 bits, then 36 bits of samples.
  stream.set([0x0b, 0xb8, 0x02, 0xf0], 10)
  const entries = comments.map((comment) => sized(Buffer.from(comment, 'utf8')))
  const count = Buffer.alloc(4)
  count.writeUInt32LE(comments.length)
  const vorbis = Buffer.concat([sized(Buffer.from('test')), count, ...entries])
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, stream),
    block(4, vorbis),
    ...blocks,
    block(0x80 | 1, Buffer.alloc(4)),
    Buffer.alloc(2000),
  ])
}

/** A metadata block of FLAC; `claimed` replaces its real size. */
export function block(type: number, body: Buffer, claimed?: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntBE(claimed ?? body.length, 1, 3)
  head[0] = type
  return Buffer.concat([head, body])
}

function sized(body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([size, body])
}

/** A box of MP4; `claimed` replaces its real size. */
export function box(type: string, body: Buffer, claimed?: number): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(claimed ?? body.length + 8, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

function synchsafe(size: number): Buffer {
  return Buffer.from([(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127])
}

function unsynchsafe(bytes: Buffer): number {
  return bytes.reduce((size, byte) => size * 128 + byte, 0)
}
