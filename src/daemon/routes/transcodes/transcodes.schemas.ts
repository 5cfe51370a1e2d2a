import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** `profile` is the name of a device profile; an unknown name is ignored. */
export const ProfileQuery = Type.Object({ profile: Type.Optional(Type.String()) })

/** `subtitle` is the `index` of picture subtitles to burn into the video. */
export const TranscodeQuery = Type.Object({
  ...ProfileQuery.properties,
  subtitle: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
})

export const RenditionRow = Type.Object({
  id: Type.String(),
  label: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  bitrate: Type.Integer(),
  video_bitrate: Type.Integer(),
  codecs: Type.String(),
  url: Nullable(Type.String()),
  is_original: Type.Boolean(),
  is_copy: Type.Boolean(),
})

/** A text track; cue times are relative to the segments of the job. */
const SubtitleRow = Type.Object({
  index: Type.Integer(),
  language: Type.String(),
  label: Type.String(),
  default: Type.Boolean(),
  forced: Type.Boolean(),
  hearing_impaired: Type.Boolean(),
  url: Type.String(),
})

export const TranscodeStatus = Type.Object({
  job_id: Type.String(),
  status: Type.String(),
  master_url: Type.String(),
  hls_url: Type.String(),
  playlist_ready: Type.Boolean(),
  segments: Type.Integer(),
  progress: Type.Integer(),
  subtitles: Type.Array(SubtitleRow),
  subtitle_tracks: Type.Array(SubtitleRow),
  variants: Nullable(Type.Array(RenditionRow)),
})

export const TranscodeStart = Type.Object({ ...TranscodeStatus.properties, reused: Type.Boolean() })

/** Any text is accepted here, because a malformed id is answered with 404. */
export const JobParameters = Type.Object({ jobId: Type.String() })
