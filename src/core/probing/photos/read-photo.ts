import type { ByteSource } from '../../platform/files/index.ts'
import { parseNumberInRange } from '../untrusted-values.ts'
import { readContentIdentifier } from './apple-content-identifier.ts'
import { readExifTags, type ExifTags } from './exif-tags.ts'
import type { ProbedPhoto, PhotoOutcome, ImageMetadata } from './probed-photo.ts'
import { formatCamera, cleanPhotoDescription, readOrientation, readLocation } from './photo-facts.ts'
import { resolvePhotoTime, type PhotoTimeInput } from './photo-time.ts'
import { readImageMetadata } from './image-metadata.ts'
import type { ZoneOffsets } from './local-time.ts'
import { readMotionVideoLength } from './xmp-values.ts'

const MAX_SIDE = 1_000_000

export type PhotoInput = { source: ByteSource } & Omit<PhotoTimeInput, 'tags' | 'xmp'>

/**
 * Reads size, camera, location and time of a picture from its headers, without decoding it. The source stays open. Never throws because
 * of the content: a picture of unknown size is `unreadable`, except raw files, which are `read` without a size.
 * @throws AppError `file_unreadable` if the device reports an error; RangeError for an unknown zone
 */
export async function readPhoto(offsets: ZoneOffsets, { source, ...time }: PhotoInput): Promise<PhotoOutcome> {
  if (source.sizeBytes === 0) return { kind: 'unreadable', code: 'empty', reason: 'the file is empty' }
  const blocks = readImageMetadata(source)
  if (blocks === undefined) {
    return { kind: 'unreadable', code: 'unknown_format', reason: 'the file is not a picture in a supported format' }
  }
  const tags = blocks.exif === null ? {} : await readExifTags(blocks.exif)
  const isTiff = blocks.mime === 'image/tiff'
  const size = checkedSize(isTiff ? tiffSize(tags) : blocks.size)
  if (size === null && (!isTiff || Object.keys(tags).length === 0)) {
    return { kind: 'unreadable', code: 'damaged', reason: 'the file does not state the size of its picture' }
  }
  return { kind: 'read', photo: photoOf(source, { blocks, tags, size, time, offsets }) }
}

type Findings = {
  blocks: ImageMetadata
  tags: ExifTags
  size: ImageMetadata['size']
  time: Omit<PhotoInput, 'source'>
  offsets: ZoneOffsets
}

function photoOf(source: ByteSource, { blocks, tags, size, time, offsets }: Findings): ProbedPhoto {
  const { mime, xmp } = blocks
  const orientation = blocks.orientation ?? readOrientation(tags)
  const isTurned = orientation >= 5
  return {
    mime,
    width: (isTurned ? size?.height : size?.width) ?? null,
    height: (isTurned ? size?.width : size?.height) ?? null,
    orientation,
    description: cleanPhotoDescription(tags),
    camera: formatCamera(tags),
    place: readLocation(tags),
    taken: resolvePhotoTime(offsets, { ...time, tags, xmp }),
    contentIdentifier: readContentIdentifier(tags['makerNote'] ?? tags['MakerNote']),
    motionOffsetBytes: xmp === null ? null : motionOffsetOf(source, xmp),
  }
}

/** Returns the size of a TIFF. The first directory of a raw file is often a preview and is marked as such. */
function tiffSize(tags: ExifTags): ImageMetadata['size'] {
  const isPreview = tags['SubfileType'] === 1
  const [width, height] = isPreview
    ? [tags['ExifImageWidth'], tags['ExifImageHeight']]
    : [tags['ImageWidth'] ?? tags['ExifImageWidth'], tags['ImageHeight'] ?? tags['ExifImageHeight']]
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : null
}

function checkedSize(size: ImageMetadata['size']): ImageMetadata['size'] {
  const width = parseNumberInRange(size?.width, 1, MAX_SIDE)
  const height = parseNumberInRange(size?.height, 1, MAX_SIDE)
  return width === null || height === null ? null : { width, height }
}

/** Returns the offset only if a video begins there. */
function motionOffsetOf(source: ByteSource, xmp: string): number | null {
  const length = readMotionVideoLength(xmp)
  const offset = length === null ? -1 : source.sizeBytes - length
  if (offset <= 0) return null
  return Buffer.from(source.read(offset + 4, 4)).toString('latin1') === 'ftyp' ? offset : null
}
