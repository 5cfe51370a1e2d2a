import type { LibraryType } from '../../libraries/index.ts'
import { audiobookKind } from './audiobook.ts'
import { bookKind } from './book.ts'
import type { MediaKind } from './media-kind.ts'
import { movieKind } from './movie.ts'
import { musicKind } from './music.ts'
import { photoKind } from './photo.ts'
import { seriesKind } from './series.ts'
import { videoKind } from './video.ts'

const KINDS: Readonly<Record<LibraryType, MediaKind>> = {
  movie: movieKind,
  series: seriesKind,
  video: videoKind,
  photo: photoKind,
  book: bookKind,
  music: musicKind,
  audiobook: audiobookKind,
}

/** Returns the media kind of a library type. */
export function mediaKindOfLibrary(type: LibraryType): MediaKind {
  return KINDS[type]
}
