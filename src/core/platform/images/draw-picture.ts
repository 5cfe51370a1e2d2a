import type { Sharp } from 'sharp'
import { AppError } from '../errors/index.ts'
import { imageErrors } from './errors.ts'
import type { PictureFormat } from '../files/index.ts'

/** The output of a drawing, in pixels. */
export type PictureShape =
  /** `cover`: cropped to exactly this size. `contain`: on a black background of exactly this size. */
  | { fit: 'cover' | 'contain'; width: number; height: number }
  /** Scales a picture down to at most this size; smaller pictures are not enlarged. `keepsTransparency`: a PNG instead of a JPEG. */
  | { fit: 'inside'; width: number; height?: number; keepsTransparency: boolean }

const MEGAPIXEL = 1_000_000

/** The largest number of pixels of any picture: 16383². */
const MAX_PIXELS = 0x3f_ff * 0x3f_ff

/**
 * The largest number of pixels for formats that are decoded as a whole; measured, each needs less than about 250 MB. Baseline JPEG and PNG
 * are decoded line by line, so that their size does not matter.
 */
const WHOLE_MEGAPIXELS = { progressive: 50, gif: 25, webp: 50, tiff: 64, avif: 17 } as const

/** Enough for a busy machine. A picture that takes longer is probably malicious. */
const LIMIT_SECONDS = 15

/**
 * Renders the first page of a picture in a shape: rotated according to EXIF, in sRGB, without metadata.
 * @param input a path or the bytes, which must not change meanwhile; `format` was detected from the first bytes
 * @throws AppError `picture_unreadable`
 */
export async function drawPicture(
  input: string | Uint8Array,
  format: PictureFormat,
  shape: PictureShape,
): Promise<Buffer> {
  const { sharp } = await import('./raster-sharp.ts')
  try {
    const picture = sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true })
    const { width, height, isProgressive } = await picture.metadata()
    const pixels = width * height
    if (pixels > maxPixels(format, isProgressive))
      throw imageErrors.picture_unreadable({ message: 'The picture has too many pixels' })
    return await encode(resize(picture, shape).timeout({ seconds: LIMIT_SECONDS }), shape)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Every error of libvips is caused by the bytes.
    throw imageErrors.picture_unreadable({ cause: error })
  }
}

/** Size in pixels after the EXIF rotation. */
export type PictureSize = { width: number; height: number }

/**
 * Reads the dimensions from the header of a picture.
 * @throws AppError `picture_unreadable`
 */
export async function measurePicture(input: Uint8Array): Promise<PictureSize> {
  const { sharp } = await import('./raster-sharp.ts')
  try {
    const { autoOrient } = await sharp(input, { limitInputPixels: false }).metadata()
    return { width: autoOrient.width, height: autoOrient.height }
  } catch (error) {
    throw imageErrors.picture_unreadable({ cause: error })
  }
}

function maxPixels(format: PictureFormat, isProgressive: boolean): number {
  if (format === 'gif' || format === 'webp' || format === 'tiff' || format === 'avif') {
    return WHOLE_MEGAPIXELS[format] * MEGAPIXEL
  }
  return isProgressive ? WHOLE_MEGAPIXELS.progressive * MEGAPIXEL : MAX_PIXELS
}

function resize(picture: Sharp, shape: PictureShape): Sharp {
  if (shape.fit === 'inside') {
    const { width, height } = shape
    return picture.resize({
      width,
      ...(height === undefined ? {} : { height }),
      fit: 'inside',
      withoutEnlargement: true,
    })
  }
  const { width, height, fit } = shape
  return picture.resize({ width, height, fit, background: 'black' })
}

function encode(picture: Sharp, shape: PictureShape): Promise<Buffer> {
  if (isTransparent(shape)) return picture.png({ compressionLevel: 6 }).toBuffer()
  return picture.flatten({ background: 'black' }).jpeg({ quality: 80, mozjpeg: false }).toBuffer()
}

/** The media type of the output in this shape. */
export function pictureContentType(shape: PictureShape): string {
  return isTransparent(shape) ? 'image/png' : 'image/jpeg'
}

function isTransparent(shape: PictureShape): boolean {
  return shape.fit === 'inside' && shape.keepsTransparency
}
