import { Type } from 'typebox'
import { FreeObject, Nullable } from '../../http/schemas.ts'

/** Which forms they have is judged by the domain: what is not of it does not exist. */
export const SubtitleParameters = Type.Object({ id: Type.String(), index: Type.String() })

const TrackFacts = {
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
}

/** A row of `subtitle_tracks`, with what else a player may show. */
export const SubtitleTrackRow = Type.Object({ ...TrackFacts, url: Type.String() })

/** Subtitles without a text: `reason` is `pictures` or `unknown_form`. */
const OtherTrackRow = Type.Object({
  ...TrackFacts,
  reason: Type.String(),
  message: Type.String(),
  /** `POST /media/{id}/transcode?subtitle=<index>` draws it into the film. */
  can_be_drawn: Type.Boolean(),
})

export const SubtitleList = Type.Object({
  tracks: Type.Array(SubtitleTrackRow),
  other_tracks: Type.Array(OtherTrackRow),
})

export const ChapterRow = Type.Object({
  start_seconds: Type.Number(),
  end_seconds: Type.Number(),
  title: Type.String(),
})

export const ChapterList = Type.Object({ chapters: Type.Array(ChapterRow) })

/** What providers offer for download; this release asks none. */
export const SubtitleCandidates = Type.Object({ candidates: Type.Array(FreeObject), message: Type.String() })
