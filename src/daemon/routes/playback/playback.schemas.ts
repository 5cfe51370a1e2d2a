import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { MarkerRow, PositionQuery } from '../markers/markers.schemas.ts'
import { ChapterRow, SubtitleTrackRow } from '../subtitles/subtitles.schemas.ts'
import { StreamRow } from '../media/media.schemas.ts'
import { ProfileQuery, RenditionRow } from '../transcodes/transcodes.schemas.ts'

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())

/** Boundaries in seconds; null hides the button. */
const SkipMarkers = Type.Object({
  skip_intro_start: NullableWhole,
  skip_intro_end: NullableWhole,
  skip_outro_start: NullableWhole,
  skip_outro_end: NullableWhole,
})

const MarkerRange = Nullable(Type.Object({ start_seconds: Type.Number(), end_seconds: Type.Number() }))

const AudioTrack = Type.Object({
  id: Type.String(),
  /** Index among the audio tracks; `stream_index` counts all streams of the file. */
  index: Type.Integer(),
  stream_index: Type.Integer(),
  codec: NullableText,
  language: Type.String(),
  label: Type.String(),
  channels: NullableWhole,
  bitrate: NullableWhole,
  title: NullableText,
  default: Type.Boolean(),
})

const Tracks = { audio_tracks: Type.Array(AudioTrack), subtitle_tracks: Type.Array(SubtitleTrackRow) }

/** A file of an item with several files; the first is the item's own. */
const PartRow = Type.Object({
  id: Type.String(),
  index: Type.Integer(),
  stream_url: Type.String(),
  start_seconds: Type.Number(),
  duration_seconds: Type.Number(),
  size: NullableWhole,
})

export const PlaybackInfoQuery = Type.Object({ ...ProfileQuery.properties, ...PositionQuery.properties })

export const PlaybackInfo = Type.Object({
  item_id: Type.String(),
  intro_marker: MarkerRange,
  outro_marker: MarkerRange,
  /** All markers by time, also recaps and previews. */
  markers: Type.Array(MarkerRow),
  chapters: Type.Array(ChapterRow),
  skip_button_spec: SkipMarkers,
  /** WebVTT with pictures of the time line; null if there are none. */
  storyboard_url: NullableText,
  quality_ladder: Nullable(Type.Array(RenditionRow)),
  /** The bandwidth that the viewer may use, in kbit/s; null: no limit. Higher qualities are refused, except for the lowest one. */
  max_kbps: NullableWhole,
  /** What the file needs that is sent as it is, in kbit/s; 0: unknown. */
  file_kbps: Type.Integer(),
  /** Where the viewer can go on; 0 if the item was not started, or was finished. */
  resume_position_ticks: Type.Integer(),
  ...Tracks,
  /** Same as in the first media source of the playback reply. */
  parts: Type.Array(PartRow),
  crossfade: Type.Object({
    enabled: Type.Boolean(),
    duration: Type.Integer(),
    fade_out: Type.Integer(),
    fade_in: Type.Integer(),
  }),
})

const MediaSource = Type.Object({
  /** `default`, or the id of the version. */
  id: Type.String(),
  item_id: Type.String(),
  label: NullableText,
  /** Total of all parts, in seconds. */
  duration: Nullable(Type.Number()),
  container: NullableText,
  path: NullableText,
  direct_play: Type.Boolean(),
  stream_url: NullableText,
  size: NullableWhole,
  bitrate: NullableWhole,
  streams: Type.Array(StreamRow),
  /** Empty for an item with one file. */
  parts: Type.Array(PartRow),
})

export const Playback = Type.Object({
  playback_info: Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    media_sources: Type.Array(MediaSource),
    markers: SkipMarkers,
    intro_marker: MarkerRange,
    outro_marker: MarkerRange,
    ...Tracks,
  }),
})
