import type { MediaItemType } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { imageErrors, sniffPicture, type Images, type PictureSize } from '../platform/images/index.ts'
import { artworkErrors } from './errors.ts'
import { deleteEditedPoster, upsertEditedPoster } from './queries/edited.ts'

/** Twice the largest width that `srcset` offers of a poster, for screens of double density and for televisions. */
const KEPT_WIDTH = 1280

/** What lists show at the least; a smaller picture is a mistake. */
const MIN_SIDE = 100

/** Nothing is drawn that is so much longer than wide, or wider than long. */
const MAX_SIDE_RATIO = 5

const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp'])

/** The same as for pictures in tags and books. */
export const MAX_POSTER_BYTES = 32 * 1024 * 1024

/**
 * Draws the file of a poster again as a JPEG of at most 1280 pixels' width, so that it is proven to be a picture and nothing else of the
 * file is kept.
 * @param input.type of the item that it is for
 * @throws AppError `invalid_poster`, `too_many_pictures`
 */
export async function drawPoster(
  images: Pick<Images, 'draw' | 'measure'>,
  { type, bytes }: { type: MediaItemType; bytes: Uint8Array },
): Promise<Buffer> {
  if (type === 'image') throw artworkErrors.invalid_poster({ message: 'A photo shows itself; it has no poster' })
  if (bytes.length > MAX_POSTER_BYTES) throw artworkErrors.invalid_poster({ message: 'The file has more than 32 MiB' })
  const format = sniffPicture(bytes)
  if (format === undefined) throw artworkErrors.invalid_poster({ message: 'The file is no picture' })
  if (!FORMATS.has(format)) {
    throw artworkErrors.invalid_poster({
      message: `The file is ${format.toUpperCase()}; a poster is JPEG, PNG or WebP`,
    })
  }
  try {
    requireSane(await images.measure(bytes))
    return await images.draw(bytes, { fit: 'inside', width: KEPT_WIDTH, keepsTransparency: false })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== imageErrors.picture_unreadable.definition.code) throw error
    throw artworkErrors.invalid_poster({ message: error.text ?? 'The picture is damaged', cause: error })
  }
}

function requireSane({ width, height }: PictureSize): void {
  const refuse = (message: string): AppError => artworkErrors.invalid_poster({ message })
  const size = `The picture has ${width} x ${height} pixels`
  if (Math.min(width, height) < MIN_SIDE) throw refuse(`${size}; a poster has at least ${MIN_SIDE} a side`)
  if (Math.max(width, height) > MAX_SIDE_RATIO * Math.min(width, height)) {
    throw refuse(`${size}; no side may be more than ${MAX_SIDE_RATIO} times the other`)
  }
}

/**
 * Shows an item by a picture that a person gave, before those beside it, in it and of providers, whatever is scanned, matched, refreshed or
 * cleared later; null takes it back. In a transaction.
 * @param input.poster what `drawPoster` has drawn
 * @returns whether something has changed
 */
export async function setEditedPoster(
  connection: Connection,
  { itemId, poster, now }: { itemId: string; poster: Buffer | null; now: Date },
): Promise<boolean> {
  if (poster === null) return deleteEditedPoster(connection, itemId)
  return upsertEditedPoster(connection, { itemId, bytes: poster, now })
}
