/**
 * A file for the trick mode of Roku players, "Base Index Frames", version 0: an index of times and offsets, then the JPEG files.
 * https://developer.roku.com/docs/developer-program/media-playback/trick-mode/bif-file-creation.md
 */

const MAGIC = Buffer.from([0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])
const HEADER_BYTES = 64
const ENTRY_BYTES = 8
const END_OF_INDEX = 0xff_ff_ff_ff
/** Unit of the times in the index. */
const TIMESTAMP_MILLISECONDS = 1000

/** Makes a file of pictures in order of time; their times are rounded to whole seconds. */
export function writeBif(pictures: readonly { seconds: number; jpeg: Buffer }[]): Buffer {
  const index = Buffer.alloc(HEADER_BYTES + (pictures.length + 1) * ENTRY_BYTES)
  MAGIC.copy(index)
  index.writeUInt32LE(0, 8)
  index.writeUInt32LE(pictures.length, 12)
  index.writeUInt32LE(TIMESTAMP_MILLISECONDS, 16)
  let offset = index.length
  let at = HEADER_BYTES
  for (const { seconds, jpeg } of pictures) {
    index.writeUInt32LE(Math.round((seconds * 1000) / TIMESTAMP_MILLISECONDS), at)
    index.writeUInt32LE(offset, at + 4)
    at += ENTRY_BYTES
    offset += jpeg.length
  }
  index.writeUInt32LE(END_OF_INDEX, at)
  index.writeUInt32LE(offset, at + 4)
  return Buffer.concat([index, ...pictures.map(({ jpeg }) => jpeg)])
}
