import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The domain checks the form: a malformed value is answered with 404. */
export const SubtitleParameters = Type.Object({ id: Type.String(), index: Type.String() })

const TrackFacts = {
  id: Type.String(),
  /** Index over all subtitle streams of the file, followed by the external subtitle files. */
  index: Type.Integer(),
  /** Index over all streams of the file; null for an external file. */
  stream_index: Nullable(Type.Integer()),
  /** BCP 47; `und` if unknown. */
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

/** A row of `subtitle_tracks`, with additional data for players. */
export const SubtitleTrackRow = Type.Object({ ...TrackFacts, url: Type.String() })

/** Subtitles without text: `reason` is `pictures` or `unknown_form`. */
const OtherTrackRow = Type.Object({
  ...TrackFacts,
  reason: Type.String(),
  message: Type.String(),
  /** `POST /media/{id}/transcode?subtitle=<index>` burns it into the video. */
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

const PictureChapterRow = Type.Object({
  ...ChapterRow.properties,
  /** Null for an item without video. */
  thumbnail_url: Nullable(Type.String()),
})

export const ChapterList = Type.Object({ chapters: Type.Array(PictureChapterRow) })

/** A text of a provider, with the keys that clients know. */
const Candidate = Type.Object({
  provider: Type.String(),
  downloadId: Type.String(),
  language: Type.String(),
  releaseName: Nullable(Type.String()),
  format: Nullable(Type.String()),
  matchedBy: Nullable(Type.String()),
  rating: Nullable(Type.Number()),
  downloadCount: Nullable(Type.Number()),
  hearingImpaired: Type.Boolean(),
  fps: Nullable(Type.Number()),
})

/** `message` says why there may be fewer candidates. */
export const SubtitleCandidates = Type.Object({
  candidates: Type.Array(Candidate),
  message: Type.Optional(Type.String()),
})

/** `lang` is a list with commas. */
export const SubtitleSearchQuery = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 500 })) })

export const DownloadBody = Type.Object({
  provider: Type.String(),
  downloadId: Type.String(),
  language: Type.Optional(Type.String({ maxLength: 64 })),
  releaseName: Type.Optional(Nullable(Type.String())),
  hearingImpaired: Type.Optional(Nullable(Type.Boolean())),
})

/** `stream_id` is the id of the track. */
export const DownloadedTrack = Type.Object({
  track: Type.Object({ ...SubtitleTrackRow.properties, stream_id: Type.String() }),
})

export const ExternalParameters = Type.Object({ id: Type.String(), stream: Type.String() })
