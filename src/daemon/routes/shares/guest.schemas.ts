import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { ChapterRow } from '../subtitles/subtitles.schemas.ts'
import { MarkerRow } from '../markers/markers.schemas.ts'
import { RenditionRow } from '../transcodes/transcodes.schemas.ts'

export const ShareParameters = Type.Object({ share: Type.String() })

export const GuestItemParameters = Type.Object({ share: Type.String(), id: Type.String() })

export const GuestSubtitleParameters = Type.Object({ ...GuestItemParameters.properties, index: Type.String() })

export const GuestFileParameters = Type.Object({ ...GuestItemParameters.properties, file: Type.String() })

export const GuestStreamParameters = Type.Object({ share: Type.String(), jobId: Type.String(), file: Type.String() })

/** Width and height limit in pixels. */
export const PictureQuery = Type.Object({ size: Type.Optional(Type.Integer({ minimum: 16, maximum: 2000 })) })

const GuestItem = Type.Object({
  id: Type.String(),
  /** `video`, `audio` or `photo`. */
  kind: Type.String(),
  title: Type.String(),
  year: Nullable(Type.Integer()),
  season_number: Nullable(Type.Integer()),
  episode_number: Nullable(Type.Integer()),
  artist: Nullable(Type.String()),
  duration_seconds: Nullable(Type.Number()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  picture_url: Type.String(),
  /** Null if the link does not allow downloads. */
  download_url: Nullable(Type.String()),
})

export const GuestList = Type.Object({
  kind: Type.String(),
  title: Nullable(Type.String()),
  expires_at: Type.String(),
  allow_download: Type.Boolean(),
  items: Type.Array(GuestItem),
})

/** The state of a link that is still open. */
export const GuestLinkState = Type.Object({ allow_download: Type.Boolean() })

const GuestSubtitle = Type.Object({
  index: Type.Integer(),
  language: Type.String(),
  label: Type.String(),
  default: Type.Boolean(),
  url: Type.String(),
})

export const GuestPlayback = Type.Object({
  item_id: Type.String(),
  /** The file itself, for browsers that play it; null if it has to be converted. */
  stream_url: Nullable(Type.String()),
  container: Nullable(Type.String()),
  streams: Type.Array(Type.Object({ stream_type: Type.String(), codec: Nullable(Type.String()) })),
  /** Number of further files of the film. */
  part_count: Type.Integer(),
  chapters: Type.Array(ChapterRow),
  markers: Type.Array(MarkerRow),
  storyboard_url: Nullable(Type.String()),
  quality_ladder: Nullable(Type.Array(RenditionRow)),
  /** As in the playback information of accounts. */
  max_kbps: Nullable(Type.Integer()),
  file_kbps: Type.Integer(),
  audio_tracks: Type.Array(
    Type.Object({
      stream_index: Type.Integer(),
      label: Type.String(),
      language: Type.String(),
      default: Type.Boolean(),
    }),
  ),
  subtitle_tracks: Type.Array(GuestSubtitle),
})

export const GuestTranscode = Type.Object({
  job_id: Type.String(),
  master_url: Type.String(),
  subtitles: Type.Array(GuestSubtitle),
})
