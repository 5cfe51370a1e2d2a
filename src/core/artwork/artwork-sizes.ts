import type { ArtworkKind } from './artwork-kind.ts'

/** The widths in which pictures are made. Other widths are rounded up, so that few sizes of each are cached. */
const MAX_WIDTH = 3840
const ARTWORK_WIDTHS = [160, 240, 320, 480, 640, 960, 1280, 1920, MAX_WIDTH]

/** The widths in `srcset`: list and detail on a phone, a desktop and a television. */
export const WIDTHS_OF_KIND: Readonly<Record<ArtworkKind, readonly number[]>> = {
  poster: [160, 320, 480, 640],
  cover: [160, 320, 480, 640],
  profile: [160, 320, 480],
  still: [320, 640, 960, 1280],
  backdrop: [480, 960, 1280, 1920],
  logo: [320, 640],
}

/** The width of an address without a width parameter. */
export const DEFAULT_WIDTHS: Readonly<Record<ArtworkKind, number>> = {
  poster: 320,
  cover: 320,
  profile: 160,
  still: 640,
  backdrop: 960,
  logo: 320,
}

/** The smallest cached width that is not smaller than the given one, or the largest. */
export function snapWidth(width: number): number {
  return ARTWORK_WIDTHS.find((kept) => kept >= width) ?? MAX_WIDTH
}
