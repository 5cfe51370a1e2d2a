import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** Any text is accepted here, because the domain checks the syntax: a malformed id or index is answered with 404. */
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

/** A text subtitle track, with the URL of its WebVTT file. */
export const SubtitleTrackRow = Type.Object({ ...TrackFacts, url: Type.String() })

/** A subtitle track that is not available as text; `reason` is `pictures` or `unknown_form` (an unknown codec). */
const OtherTrackRow = Type.Object({
  ...TrackFacts,
  reason: Type.String(),
  message: Type.String(),
  /** Whether `POST /media/{id}/transcode?subtitle=<index>` can burn the subtitles into the video. */
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

/** Subtitles that a provider offers. Existing clients expect the keys in camel case. */
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

/** `message` is set if candidates may be missing: no provider is installed, or some have not answered. */
export const SubtitleCandidates = Type.Object({
  candidates: Type.Array(Candidate),
  message: Type.Optional(Type.String()),
})

/** `lang`: languages, separated by commas. */
export const SubtitleSearchQuery = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 500 })) })

export const DownloadBody = Type.Object({
  provider: Type.String(),
  downloadId: Type.String(),
  language: Type.Optional(Type.String({ maxLength: 64 })),
  releaseName: Type.Optional(Nullable(Type.String())),
  hearingImpaired: Type.Optional(Nullable(Type.Boolean())),
})

/** `stream_id` repeats the id of the track for existing clients. */
export const DownloadedTrack = Type.Object({
  track: Type.Object({ ...SubtitleTrackRow.properties, stream_id: Type.String() }),
})

export const ExternalParameters = Type.Object({ id: Type.String(), stream: Type.String() })
