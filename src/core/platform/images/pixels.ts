import { imageErrors } from './errors.ts'

/** A picture of three bytes for each pixel, red, green, blue, by rows. */
export type Pixels = Readonly<{ rgb: Buffer; width: number; height: number }>

/** Encodes pixels as a baseline JPEG. */
export async function encodePixels({ rgb, width, height }: Pixels, quality: number): Promise<Buffer> {
  const { sharp } = await import('./raster-sharp.ts')
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, mozjpeg: false })
    .toBuffer()
}

/**
 * Decodes a picture in a size, without regard to its aspect ratio.
 * @throws AppError `picture_unreadable`
 */
export async function decodePixels(bytes: Uint8Array, size: { width: number; height: number }): Promise<Pixels> {
  const { sharp } = await import('./raster-sharp.ts')
  try {
    const picture = sharp(bytes, { failOn: 'error' }).resize({ ...size, fit: 'fill' })
    const rgb = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer()
    return { rgb, ...size }
  } catch (error) {
    throw imageErrors.picture_unreadable({ cause: error })
  }
}

/** Copies a picture into a larger picture, in which it must fit at the given place. */
export function copyPixels(from: Pixels, to: Pixels, { x, y }: { x: number; y: number }): void {
  const rowBytes = from.width * 3
  for (let row = 0; row < from.height; row += 1) {
    from.rgb.copy(to.rgb, ((y + row) * to.width + x) * 3, row * rowBytes, (row + 1) * rowBytes)
  }
}
