import { PICTURE_HEIGHT, PICTURE_INTERVAL_SECONDS, PICTURE_WIDTH } from '../../platform/media-tools/index.ts'

/** The shape of a grid of pictures. */
export type GridShape = Readonly<{ columns: number; rows: number }>

/** The grids of a set: 1280x360 pixels. */
export const STORED_GRID: GridShape = { columns: 8, rows: 4 }

/** The only grid that some clients can show, for a whole film. */
export const SPRITE_GRID: GridShape = { columns: 10, rows: 6 }

/** JPEG quality of single pictures and of grids. */
export const JPEG_QUALITY = 72

export const PICTURES_PER_GRID = STORED_GRID.columns * STORED_GRID.rows

/** The number of the grid that has a picture. */
export function gridIndexOfPicture(index: number): number {
  return Math.floor(index / PICTURES_PER_GRID)
}

/** The place of a picture in its grid, in pixels. */
export function cellPosition(position: number, { columns }: GridShape): { x: number; y: number } {
  return { x: (position % columns) * PICTURE_WIDTH, y: Math.floor(position / columns) * PICTURE_HEIGHT }
}

/** The time of a picture in its file. The picture is the last key frame at or before it. */
export function pictureSeconds(index: number): number {
  return index * PICTURE_INTERVAL_SECONDS
}
