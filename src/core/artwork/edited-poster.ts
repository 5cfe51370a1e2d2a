import type { MediaItemType } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { detectPictureFormat } from '../platform/files/index.ts'
import { imageErrors, type Images, type PictureSize } from '../platform/images/index.ts'
import { artworkErrors } from './errors.ts'
import { deleteEditedPoster, upsertEditedPoster } from './queries/edited-posters.ts'

/** Twice the largest poster width in `srcset`, for high-density screens and televisions. */
const MAX_STORED_WIDTH = 1280

/** The smallest size that lists show; a smaller picture is a mistake. */
const MIN_SIDE = 100

/** Pictures with a larger ratio of the sides are rejected. */
const MAX_SIDE_RATIO = 5

const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp'])

/** Equal to the limit for pictures in tags and books. */
export const MAX_POSTER_BYTES = 32 * 1024 * 1024

/**
 * Decodes a poster file and encodes it as a JPEG of at most 1280 pixels' width. This proves that it is a picture and drops everything
 * else in the file.
 * @param input.type of the item that it is for
 * @throws AppError `invalid_poster`, `too_many_pictures`
 */
export async function encodePoster(
  images: Pick<Images, 'draw' | 'measure'>,
  { type, bytes }: { type: MediaItemType; bytes: Uint8Array },
): Promise<Buffer> {
  if (type === 'image')
    throw artworkErrors.invalid_poster({ message: 'A photo has no poster: lists show the photo itself' })
  if (bytes.length > MAX_POSTER_BYTES) throw artworkErrors.invalid_poster({ message: 'The file has more than 32 MiB' })
  const format = detectPictureFormat(bytes)
  if (format === undefined) throw artworkErrors.invalid_poster({ message: 'The file is not a picture' })
  if (!FORMATS.has(format)) {
    throw artworkErrors.invalid_poster({
      message: `The file is ${format.toUpperCase()}; a poster is JPEG, PNG or WebP`,
    })
  }
  try {
    requireSensibleSize(await images.measure(bytes))
    return await images.draw(bytes, { fit: 'inside', width: MAX_STORED_WIDTH, keepsTransparency: false })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== imageErrors.picture_unreadable.definition.code) throw error
    throw artworkErrors.invalid_poster({ message: error.text ?? 'The picture is damaged', cause: error })
  }
}

function requireSensibleSize({ width, height }: PictureSize): void {
  const refuse = (message: string): AppError => artworkErrors.invalid_poster({ message })
  const size = `The picture has ${width} x ${height} pixels`
  if (Math.min(width, height) < MIN_SIDE) throw refuse(`${size}; a poster has at least ${MIN_SIDE} a side`)
  if (Math.max(width, height) > MAX_SIDE_RATIO * Math.min(width, height)) {
    throw refuse(`${size}; no side may be more than ${MAX_SIDE_RATIO} times the other`)
  }
}

/**
 * Sets the poster that a person uploaded for an item. It has priority over sidecar, embedded and provider pictures in every later scan,
 * match, refresh and clearing; null removes it. In a transaction.
 * @param input.poster the result of `encodePoster`
 * @returns whether something has changed
 */
export async function setEditedPoster(
  connection: Connection,
  { itemId, poster, now }: { itemId: string; poster: Buffer | null; now: Date },
): Promise<boolean> {
  if (poster === null) return deleteEditedPoster(connection, itemId)
  return upsertEditedPoster(connection, { itemId, bytes: poster, now })
}
