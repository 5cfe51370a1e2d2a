import { extname } from 'node:path'
import type { Marker } from '../../../core/analysis/index.ts'
import type { ItemSource, MediaItemDetail } from '../../../core/catalogue/index.ts'
import { computeFileStreamNeeds } from '../../../core/playback-limits/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import type { SubtitleTrack } from '../../../core/subtitles/index.ts'
import { listAudioTracks, listChapters } from '../../../core/tracks/index.ts'
import type { VideoRendition } from '../../../core/streaming/index.ts'
import { chapterView, markerView, streamView } from '../../../core/views/index.ts'
import { markerRangeView, skipButtonsView } from '../markers/markers.view.ts'
import { streamResource } from '../media/media.view.ts'
import { subtitleTrackView } from '../subtitles/subtitles.view.ts'
import { variantView } from '../transcodes/transcodes.view.ts'
import type { ClientCapabilities } from './client-capabilities.ts'

const NO_CROSSFADE = { enabled: false, duration: 0, fade_out: 0, fade_in: 0 }

/** Data of the player's time line. */
export function timeLineView(
  item: MediaItemDetail,
  { parts, markers }: { parts: readonly MediaItemDetail[]; markers: readonly Marker[] },
) {
  return {
    intro_marker: markerRangeView(markers, 'intro'),
    outro_marker: markerRangeView(markers, 'outro'),
    markers: markers.map(markerView),
    chapters: listChapters(item, parts).map(chapterView),
    skip_button_spec: skipButtonsView(markers),
  }
}

type Tracks = { markers: readonly Marker[]; subtitles: readonly SubtitleTrack[]; signer: UrlSigner }

/** The reply before playback starts. Renditions have no URL, because no job exists. */
export function playbackInfoView(
  item: MediaItemDetail,
  {
    parts,
    markers,
    ladder,
    subtitles,
    storyboardUrl,
    resumeTicks,
    maxKbps,
    signer,
  }: Tracks & {
    parts: readonly MediaItemDetail[]
    ladder: readonly VideoRendition[] | null
    storyboardUrl: string | null
    resumeTicks: number
    maxKbps: number | null
  },
) {
  return {
    item_id: item.id,
    ...timeLineView(item, { parts, markers }),
    storyboard_url: storyboardUrl,
    quality_ladder: ladder?.map((rendition) => variantView(rendition, null)) ?? null,
    max_kbps: maxKbps,
    file_kbps: computeFileStreamNeeds({ ...item, durationSeconds: item.fileSeconds }).kbps,
    resume_position_ticks: resumeTicks,
    audio_tracks: audioTracks(item),
    subtitle_tracks: subtitles.map((track) => subtitleTrackView(item.id, track, signer)),
    parts: partsView(item, { parts, signer }),
    crossfade: NO_CROSSFADE,
  }
}

type Shown = { capabilities: ClientCapabilities; signer: UrlSigner; showPath: FormatPath }

/** The playable sources of an item, and how to play them. */
export function playbackView(
  item: MediaItemDetail,
  { sources, markers, capabilities, subtitles, signer, showPath }: Tracks & Shown & { sources: readonly ItemSource[] },
) {
  return {
    playback_info: {
      id: item.id,
      name: item.name,
      type: item.type,
      media_sources: sources.flatMap((source) =>
        mediaSource(source, { isOwn: source.item.id === item.id, capabilities, signer, showPath }),
      ),
      markers: skipButtonsView(markers),
      intro_marker: markerRangeView(markers, 'intro'),
      outro_marker: markerRangeView(markers, 'outro'),
      audio_tracks: audioTracks(item),
      subtitle_tracks: subtitles.map((track) => subtitleTrackView(item.id, track, signer)),
    },
  }
}

function mediaSource(
  { item, label, parts }: ItemSource,
  { isOwn, capabilities, signer, showPath }: Shown & { isOwn: boolean },
) {
  if (item.path === null) return []
  const firstAudioCodec = item.streams.find((stream) => stream.type === 'audio')?.codec?.toLowerCase()
  const extension = extname(item.path).slice(1).toLowerCase()
  const source = {
    id: isOwn ? 'default' : item.id,
    item_id: item.id,
    label,
    duration: item.durationSeconds,
    container: extension === '' ? (item.container?.split(',')[0] ?? null) : extension,
    path: showPath(item.path),
    direct_play: firstAudioCodec === undefined || capabilities.get(firstAudioCodec) !== false,
    stream_url: signer.signUrl(streamResource(item.id)),
    size: item.sizeBytes,
    bitrate: item.bitrate,
    streams: item.streams.map(streamView),
    parts: partsView(item, { parts, signer }),
  }
  return [source]
}

/** The files of an item with several files, on one time line. */
function partsView(item: MediaItemDetail, { parts, signer }: { parts: readonly MediaItemDetail[]; signer: UrlSigner }) {
  if (item.path === null || parts.length === 0) return []
  let end = 0
  return [item, ...parts].map(({ id, fileSeconds, sizeBytes }, index) => {
    const start = end
    end += fileSeconds ?? 0
    return {
      id,
      index,
      stream_url: signer.signUrl(streamResource(id)),
      start_seconds: start,
      duration_seconds: fileSeconds ?? 0,
      size: sizeBytes,
    }
  })
}

function audioTracks(item: MediaItemDetail) {
  return listAudioTracks(item).map((track) => ({
    id: track.id,
    index: track.index,
    stream_index: track.streamIndex,
    codec: track.codec,
    language: track.language,
    label: track.label,
    channels: track.channels,
    bitrate: track.bitrate,
    title: track.title,
    default: track.isDefault,
  }))
}
