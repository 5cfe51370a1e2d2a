import type { ByteSource } from '../../platform/files/index.ts'
import type { ImageMetadata } from './probed-photo.ts'

const MAX_CHUNKS = 1_000

/** Larger EXIF and XMP blocks are ignored. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024

const PNG_XMP = 'XML:com.adobe.xmp\0'

/** Reads size, EXIF and XMP of a PNG from the chunks before its image data (PNG 3rd edition, 11; XMP part 3, 1.1.5). */
export function readPngMetadata(source: ByteSource): ImageMetadata {
  const blocks: ImageMetadata = { mime: 'image/png', size: null, orientation: null, exif: null, xmp: null }
  let at = 8
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = Buffer.from(source.read(at, 8))
    if (head.length < 8) break
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)]
    if (type === 'IDAT' || type === 'IEND') break
    const body = length <= MAX_BLOCK_BYTES ? Buffer.from(source.read(at + 8, length)) : Buffer.alloc(0)
    if (type === 'IHDR' && body.length >= 8) blocks.size = { width: body.readUInt32BE(0), height: body.readUInt32BE(4) }
    if (type === 'eXIf') blocks.exif ??= body
    if (type === 'iTXt') blocks.xmp ??= pngXmp(body)
    at += 12 + length
  }
  return blocks
}

/** Reads keyword, compression flag and method, language, translated keyword; only uncompressed text is XMP. */
function pngXmp(body: Buffer): string | null {
  if (body.toString('latin1', 0, PNG_XMP.length) !== PNG_XMP || body[PNG_XMP.length] !== 0) return null
  const language = body.indexOf(0, PNG_XMP.length + 2)
  const translated = language < 0 ? -1 : body.indexOf(0, language + 1)
  return translated < 0 ? null : body.toString('utf8', translated + 1)
}

/** Reads size, EXIF and XMP of a WebP (https://developers.google.com/speed/webp/docs/riff_container). */
export function readWebpMetadata(source: ByteSource): ImageMetadata {
  const blocks: ImageMetadata = { mime: 'image/webp', size: null, orientation: null, exif: null, xmp: null }
  let at = 12
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = Buffer.from(source.read(at, 8))
    if (head.length < 8) break
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    blocks.size ??= webpSize(type, Buffer.from(source.read(at + 8, 10)))
    const isMetadata = (type === 'EXIF' || type === 'XMP ') && length <= MAX_BLOCK_BYTES
    const body = isMetadata ? Buffer.from(source.read(at + 8, length)) : undefined
    if (type === 'EXIF' && body !== undefined) blocks.exif ??= withoutJpegMark(body)
    if (type === 'XMP ' && body !== undefined) blocks.xmp ??= body.toString('utf8')
    at += 8 + length + (length % 2)
  }
  return blocks
}

function webpSize(type: string, body: Buffer): ImageMetadata['size'] {
  if (body.length < 10) return null
  if (type === 'VP8X') return { width: body.readUIntLE(4, 3) + 1, height: body.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ') return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff }
  if (type !== 'VP8L' || body[0] !== 0x2f) return null
  const bits = body.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Removes the prefix that only JPEG requires, but some writers keep. */
function withoutJpegMark(body: Buffer): Buffer {
  return body.toString('latin1', 0, 6) === 'Exif\0\0' ? body.subarray(6) : body
}

/** Reads the size of GIF (GIF89a 18) and BMP (two header sizes), which have no EXIF. */
export function readPlainMetadata(head: Buffer): ImageMetadata | undefined {
  const plain = { orientation: null, exif: null, xmp: null }
  if (head.length >= 10 && /^GIF8[79]a/.test(head.toString('latin1', 0, 6))) {
    return { ...plain, mime: 'image/gif', size: { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } }
  }
  if (head.length >= 26 && head.toString('latin1', 0, 2) === 'BM') {
    const size = { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) }
    return { ...plain, mime: 'image/bmp', size }
  }
  return undefined
}
