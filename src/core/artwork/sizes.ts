import type { ArtworkKind } from './artwork-kind.ts'

/** The widths that pictures are made in; anything between is rounded up, so that few sizes are kept of each. */
const MAX_WIDTH = 3840
const ARTWORK_WIDTHS = [160, 240, 320, 480, 640, 960, 1280, 1920, MAX_WIDTH]

/** What `srcset` offers: list and detail of a phone, a desk and a television. */
export const WIDTHS_OF_KIND: Readonly<Record<ArtworkKind, readonly number[]>> = {
  poster: [160, 320, 480, 640],
  cover: [160, 320, 480, 640],
  profile: [160, 320, 480],
  still: [320, 640, 960, 1280],
  backdrop: [480, 960, 1280, 1920],
  logo: [320, 640],
}

/** What an address without a choice shows. */
export const DEFAULT_WIDTHS: Readonly<Record<ArtworkKind, number>> = {
  poster: 320,
  cover: 320,
  profile: 160,
  still: 640,
  backdrop: 960,
  logo: 320,
}

/** The least of the kept widths that is not smaller, or the largest. */
export function snapWidth(width: number): number {
  return ARTWORK_WIDTHS.find((kept) => kept >= width) ?? MAX_WIDTH
}
