import { Type } from 'typebox'
import { FreeObject, Nullable } from '../../http/schemas.ts'

/** Which forms they have is judged by the domain: what is not of it does not exist. */
export const SubtitleParameters = Type.Object({ id: Type.String(), index: Type.String() })

/** A row of `subtitle_tracks` (document 4, 4.2), with what else a player may show. */
export const SubtitleTrackRow = Type.Object({
  id: Type.String(),
  /** Counts all subtitle streams of the file, then the files beside it. */
  index: Type.Integer(),
  /** Counts all streams of the file; null for a file beside. */
  stream_index: Nullable(Type.Integer()),
  /** BCP 47; `und` where nobody says. */
  language: Type.String(),
  label: Type.String(),
  title: Nullable(Type.String()),
  codec: Type.String(),
  /** `embedded` or `external`. */
  source: Type.String(),
  default: Type.Boolean(),
  forced: Type.Boolean(),
  hearing_impaired: Type.Boolean(),
  url: Type.String(),
})

export const SubtitleList = Type.Object({ tracks: Type.Array(SubtitleTrackRow) })

export const ChapterRow = Type.Object({
  start_seconds: Type.Number(),
  end_seconds: Type.Number(),
  title: Type.String(),
})

export const ChapterList = Type.Object({ chapters: Type.Array(ChapterRow) })

/** What providers offer for download; this release asks none. */
export const SubtitleCandidates = Type.Object({ candidates: Type.Array(FreeObject), message: Type.String() })
