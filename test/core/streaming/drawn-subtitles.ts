import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { keptMedia } from './test-films.ts'

const CACHE = fileURLToPath(new URL('../../../.cache/media/', import.meta.url))

const [WIDTH, HEIGHT] = [320, 180]
const BOX = { x: 60, y: 120, width: 200, height: 40 }

type Span = { from: number; until: number }

/**
 * 20 s of black with a tone and English bitmap subtitles (PGS): a white box, shown during `spans`, in seconds. ffmpeg has no encoder for
 * them, so they are written here (US patent 20090185789 A1; as ffmpeg's `pgssubdec.c` reads them).
 */
export async function filmWithPictures(spans: readonly Span[]): Promise<string> {
  const name = spans.map(({ from, until }) => `${from}to${until}`).join('-')
  const script = join(CACHE, `streaming-pictures-${name}.sup`)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(script, Buffer.concat(spans.flatMap((span, place) => displaySets(span, place * 2))))
  const words =
    `-f lavfi -i color=black:size=${WIDTH}x${HEIGHT}:rate=25:duration=20 -f lavfi -i sine=frequency=440:duration=20 ` +
    `-copyts -i ${script} -map 0:v -map 1:a -map 2:s -c:v libx264 -preset ultrafast -g 50 -c:a aac -c:s copy -metadata:s:s:0 language=eng`
  return keptMedia('pictures', '.mkv', words.split(' '))
}

/** The same with VobSub (the subtitles of DVDs), in the colours of ffmpeg's encoder. */
export async function filmWithDvdPictures(spans: readonly Span[]): Promise<string> {
  const film = await filmWithPictures(spans)
  // Without the first argument each subtitle would be shown until the next one.
  const words = ['-fix_sub_duration', '-i', film, '-map', '0', '-c', 'copy', '-c:s', 'dvdsub']
  return keptMedia('dvd-pictures', '.mkv', words)
}

/** Two display sets: one that shows the box, and one that clears it. */
function displaySets({ from, until }: Span, number: number): Buffer[] {
  const window = bytes([1, 0], words(BOX.x, BOX.y, BOX.width, BOX.height))
  const line = [0, 0xc0 | (BOX.width >> 8), BOX.width & 0xff, 1, 0, 0]
  const lines = Array.from({ length: BOX.height }, () => line).flat()
  const object = bytes(words(0), [0, 0xc0], threeBytes(lines.length + 4), words(BOX.width, BOX.height), lines)
  const composition = (state: number, shown: number[]): Buffer =>
    bytes(words(WIDTH, HEIGHT), [0x10], words(number + (shown.length > 0 ? 0 : 1)), [state, 0, 0], shown)
  return [
    segment(from, 0x16, composition(0x80, [1, ...words(0), 0, 0, ...words(BOX.x, BOX.y)])),
    segment(from, 0x17, window),
    segment(from, 0x14, bytes([0, 0], [1, 235, 128, 128, 255])),
    segment(from, 0x15, object),
    segment(from, 0x80, bytes()),
    segment(until, 0x16, composition(0, [0])),
    segment(until, 0x17, window),
    segment(until, 0x80, bytes()),
  ]
}

function segment(seconds: number, type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.write('PG', 'latin1')
  head.writeUInt32BE(seconds * 90_000, 2)
  head.writeUInt8(type, 10)
  head.writeUInt16BE(content.length, 11)
  return Buffer.concat([head, content])
}

function words(...values: number[]): number[] {
  return values.flatMap((value) => [value >> 8, value & 0xff])
}

function threeBytes(value: number): number[] {
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

function bytes(...parts: number[][]): Buffer {
  return Buffer.from(parts.flat())
}
