import { copyPixels, type Images, type Pixels } from '../../platform/images/index.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../platform/media-tools/index.ts'
import { cellPosition, JPEG_QUALITY, STORED_GRID, type GridShape } from './grid-geometry.ts'

/** The bytes of a single picture in a grid file. */
export type ByteSpan = Readonly<{ offsetBytes: number; lengthBytes: number }>

/**
 * Makes the file of a grid: the grid as JPEG, and behind its end each picture as a JPEG of its own. Programs that read pictures stop at the
 * end of the grid, and a byte range gives a single picture.
 * @param pictures at most as many as the grid has cells; the remaining cells are black
 */
export async function makeGridFile(
  images: Pick<Images, 'encode'>,
  pictures: readonly Pixels[],
): Promise<{ bytes: Buffer; spans: readonly ByteSpan[] }> {
  const grid = await images.encode(composeGrid(pictures, STORED_GRID), JPEG_QUALITY)
  const singles = await Promise.all(pictures.map((picture) => images.encode(picture, JPEG_QUALITY)))
  let offsetBytes = grid.length
  const spans = singles.map(({ length: lengthBytes }) => {
    const span = { offsetBytes, lengthBytes }
    offsetBytes += lengthBytes
    return span
  })
  return { bytes: Buffer.concat([grid, ...singles]), spans }
}

/** Combines the pictures to one, row by row; cells without a picture are black. */
export function composeGrid(pictures: readonly Pixels[], shape: GridShape): Pixels {
  const [width, height] = [shape.columns * PICTURE_WIDTH, shape.rows * PICTURE_HEIGHT]
  const grid = { rgb: Buffer.alloc(width * height * 3), width, height }
  for (const [position, picture] of pictures.entries()) copyPixels(picture, grid, cellPosition(position, shape))
  return grid
}
