import type { LibraryType } from '../../libraries/index.ts'
import { scanErrors } from '../errors.ts'
import { audiobookKind } from './audiobook.ts'
import { bookKind } from './book.ts'
import type { MediaKind } from './media-kind.ts'
import { movieKind } from './movie.ts'
import { musicKind } from './music.ts'
import { photoKind } from './photo.ts'
import { seriesKind } from './series.ts'
import { videoKind } from './video.ts'

const KINDS: Partial<Record<LibraryType, MediaKind>> = {
  movie: movieKind,
  series: seriesKind,
  video: videoKind,
  photo: photoKind,
  book: bookKind,
  music: musicKind,
  audiobook: audiobookKind,
}

/** Whether this release can scan libraries of a type. */
export function isScannable(type: LibraryType): boolean {
  return KINDS[type] !== undefined
}

/**
 * How libraries of a type are scanned.
 * @throws AppError `library_type_not_scannable`
 */
export function mediaKindOfLibrary(type: LibraryType): MediaKind {
  const kind = KINDS[type]
  if (kind === undefined) {
    throw scanErrors.library_type_not_scannable({
      message: `libraries of type ${type} cannot be scanned yet; this release scans: ${Object.keys(KINDS).join(', ')}`,
      details: { type },
    })
  }
  return kind
}
