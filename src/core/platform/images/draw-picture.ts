import { availableParallelism } from 'node:os'
import type { Sharp, SharpOptions } from 'sharp'
import { AppError } from '../errors/index.ts'
import { imageErrors } from './errors.ts'
import type { PictureFormat } from './picture-format.ts'

/** What is made of a picture, in pixels. */
export type PictureShape =
  /** Cut to fill exactly this size, or put on black of exactly this size. */
  | { fit: 'cover' | 'contain'; width: number; height: number }
  /** As wide as this, never larger than it is. `keepsTransparency`: a PNG instead of a JPEG. */
  | { fit: 'inside'; width: number; keepsTransparency: boolean }

const MEGAPIXEL = 1_000_000

/** Nothing is opened that has more pixels, whatever its format: 16383². */
const MAX_PIXELS = 0x3f_ff * 0x3f_ff

/**
 * Most pixels of what has to be unpacked as a whole; measured, each stays below some 250 MB. Other JPEG and PNG go through in lines,
 * so that their size costs nothing.
 */
const WHOLE_MEGAPIXELS = { progressive: 50, gif: 25, webp: 50, tiff: 64, avif: 17 } as const

/** A busy machine needs its time; what takes longer was made to take it. */
const LIMIT_SECONDS = 15

/** How many pictures are drawn at the same time: one of libuv's four threads stays free for files. */
export const DRAWERS = Math.min(availableParallelism(), 3)

type SharpFactory = (input: string | Buffer, options: SharpOptions) => Sharp

let loaded: Promise<SharpFactory> | undefined

/** Loaded with the first picture: commands do without it. Every reader of files is forbidden but those of raster pictures. */
async function loadSharp(): Promise<SharpFactory> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  const raster = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif']
  sharp.unblock({ operation: raster.flatMap((name) => [`VipsForeignLoad${name}File`, `VipsForeignLoad${name}Buffer`]) })
  sharp.cache(false)
  sharp.concurrency(Math.max(1, Math.floor(availableParallelism() / DRAWERS)))
  return sharp
}

/**
 * Draws the first page of a picture in another shape: turned as its EXIF asks, in sRGB, without metadata.
 * @param input a path, or the bytes themselves; `format` is what its first bytes say
 * @throws AppError `picture_unreadable`
 */
export async function drawPicture(input: string | Buffer, format: PictureFormat, shape: PictureShape): Promise<Buffer> {
  loaded ??= loadSharp()
  const sharp = await loaded
  try {
    const picture = sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS, autoOrient: true })
    const { width, height, isProgressive } = await picture.metadata()
    const pixels = width * height
    if (pixels > maxPixels(format, isProgressive))
      throw imageErrors.picture_unreadable({ message: 'The picture has too many pixels' })
    return await encode(resize(picture, shape).timeout({ seconds: LIMIT_SECONDS }), shape)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Whatever libvips says is about the bytes.
    throw imageErrors.picture_unreadable({ cause: error })
  }
}

/** In pixels, as the picture is shown: turned as its EXIF asks. */
export type PictureSize = { width: number; height: number }

/**
 * How large a picture says that it is; only its head is read.
 * @throws AppError `picture_unreadable`
 */
export async function measurePicture(input: Buffer): Promise<PictureSize> {
  loaded ??= loadSharp()
  const sharp = await loaded
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
  if (shape.fit === 'inside') return picture.resize({ width: shape.width, withoutEnlargement: true })
  const { width, height, fit } = shape
  return picture.resize({ width, height, fit, background: 'black' })
}

function encode(picture: Sharp, shape: PictureShape): Promise<Buffer> {
  if (isTransparent(shape)) return picture.png({ compressionLevel: 6 }).toBuffer()
  return picture.flatten({ background: 'black' }).jpeg({ quality: 80, mozjpeg: false }).toBuffer()
}

/** What is made of a picture in this shape. */
export function contentTypeOf(shape: PictureShape): string {
  return isTransparent(shape) ? 'image/png' : 'image/jpeg'
}

function isTransparent(shape: PictureShape): boolean {
  return shape.fit === 'inside' && shape.keepsTransparency
}
