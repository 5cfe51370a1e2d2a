import type { ByteSource } from '../../platform/files/index.ts'
import type { ImageMetadata } from './probed-photo.ts'

const MAX_SEGMENTS = 1_000
const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'

/**
 * Reads size, EXIF and XMP of a JPEG from the segments before its image data (ITU T.81 B.1; Exif 2.32 4.7.2; XMP part 3, 1.1.3). The size
 * is null without a frame header.
 */
export function readJpegMetadata(source: ByteSource): ImageMetadata {
  const blocks: ImageMetadata = { mime: 'image/jpeg', size: null, orientation: null, exif: null, xmp: null }
  let at = 2
  for (let count = 0; count < MAX_SEGMENTS; count += 1) {
    const head = Buffer.from(source.read(at, 4))
    if (head.length < 4 || head[0] !== 0xff) break
    const marker = head[1] ?? 0
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = head.readUInt16BE(2)
    if (marker === 0xda || length < 2) break
    if (marker === 0xe1) takeApplicationSegment(blocks, source.read(at + 4, length - 2))
    if (isFrame(marker)) {
      blocks.size = frameSize(Buffer.from(source.read(at + 4, 5)))
      break
    }
    at += 2 + length
  }
  return blocks
}

function takeApplicationSegment(blocks: ImageMetadata, segment: Uint8Array): void {
  const start = Buffer.from(segment.subarray(0, XMP.length)).toString('latin1')
  if (start.startsWith(EXIF)) blocks.exif ??= segment.subarray(EXIF.length)
  if (start === XMP) blocks.xmp ??= Buffer.from(segment.subarray(XMP.length)).toString('utf8')
}

/** SOF0 to SOF15 except DHT, JPG and DAC, which are in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function frameSize(frame: Buffer): ImageMetadata['size'] {
  return frame.length < 5 ? null : { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }
}
