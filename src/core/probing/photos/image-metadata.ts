import type { ByteSource } from '../../platform/files/index.ts'
import { readPlainMetadata, readPngMetadata, readWebpMetadata } from './chunked-metadata.ts'
import { readHeifMetadata } from './heif-metadata.ts'
import { readJpegMetadata } from './jpeg-metadata.ts'
import type { ImageMetadata } from './probed-photo.ts'

/** Enough for the directories of most raw files; some cameras write them at the end. */
const TIFF_START_BYTES = 1024 * 1024
const MAX_WHOLE_TIFF_BYTES = 96 * 1024 * 1024

/**
 * Reads the metadata blocks of a picture, detected from its first bytes: JPEG, PNG, WebP, GIF, BMP, HEIC, AVIF, TIFF and the raw formats
 * based on it (DNG, NEF, CR2, ARW). Undefined for other formats, including SVG, which may contain scripts.
 */
export function readImageMetadata(source: ByteSource): ImageMetadata | undefined {
  const head = Buffer.from(source.read(0, 32))
  const text = head.toString('latin1')
  if (text.startsWith('\u00FF\u00D8\u00FF')) return readJpegMetadata(source)
  if (text.startsWith('\u0089PNG\r\n\u001A\n')) return readPngMetadata(source)
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return readWebpMetadata(source)
  if (text.startsWith('ftyp', 4)) return readHeifMetadata(source)
  if (/^(?:II\*\0|MM\0\*)/.test(text)) return readTiffMetadata(source, head)
  return readPlainMetadata(head)
}

/** The structure itself is the EXIF block. It is read completely if its first directory is far from the start. */
function readTiffMetadata(source: ByteSource, head: Buffer): ImageMetadata {
  const directory = text(head, 0, 2) === 'II' ? head.readUInt32LE(4) : head.readUInt32BE(4)
  const isNear = directory < TIFF_START_BYTES / 2
  const wanted = isNear ? TIFF_START_BYTES : MAX_WHOLE_TIFF_BYTES
  const isReadable = isNear || source.sizeBytes <= MAX_WHOLE_TIFF_BYTES
  return {
    mime: 'image/tiff',
    size: null,
    orientation: null,
    exif: isReadable ? source.read(0, wanted) : null,
    xmp: null,
  }
}

function text(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}
