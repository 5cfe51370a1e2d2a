import { createHash } from 'node:crypto'
import type { IPicture } from 'music-metadata'
import { PICTURE_CONTENT_TYPES, detectPictureFormat, type PictureFormat } from '../../platform/files/index.ts'
import type { EmbeddedPicture } from './audio-tags.ts'

/** Formats that every browser displays. */
const DISPLAYED: ReadonlySet<PictureFormat | undefined> = new Set(['jpeg', 'png', 'gif', 'webp', 'bmp'] as const)

const MAX_PICTURES = 16
const MAX_PICTURE_BYTES = 32 * 1024 * 1024

/**
 * Returns the displayable pictures of a file, at most 16 of at most 32 MiB each, the front cover first. The hash identifies a cover that
 * the songs of an album share, so it is stored once.
 */
export function readEmbeddedPictures(pictures: readonly IPicture[] | undefined, withBytes: boolean): EmbeddedPicture[] {
  const kept: EmbeddedPicture[] = []
  for (const { data, type } of pictures ?? []) {
    const format = detectPictureFormat(data)
    if (kept.length >= MAX_PICTURES || data.length > MAX_PICTURE_BYTES) continue
    if (format === undefined || !DISPLAYED.has(format)) continue
    kept.push({
      mime: PICTURE_CONTENT_TYPES[format],
      sizeBytes: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
      isFrontCover: /\bfront\b/i.test(type ?? ''),
      ...(withBytes ? { bytes: data } : {}),
    })
  }
  return kept.toSorted((a, b) => Number(b.isFrontCover) - Number(a.isFrontCover))
}
