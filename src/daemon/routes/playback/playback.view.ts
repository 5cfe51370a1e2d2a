import { extname } from 'node:path'
import type { MediaItemDetail } from '../../../core/catalogue/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { SubtitleTrack } from '../../../core/subtitles/index.ts'
import { listAudioTracks, listChapters } from '../../../core/tracks/index.ts'
import type { VideoRendition } from '../../../core/streaming/index.ts'
import { streamResource, streamView } from '../media/media.view.ts'
import { chapterView, subtitleTrackView } from '../subtitles/subtitles.view.ts'
import { renditionView } from '../transcodes/transcodes.view.ts'
import type { ClientCapabilities } from './client-capabilities.ts'

/** Nothing detects intros yet; null hides the buttons (document 2, Skip markers on the client). */
export const NO_MARKERS = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }
const NO_CROSSFADE = { enabled: false, duration: 0, fade_out: 0, fade_in: 0 }

/** What a player shows on its time line. */
export function timeLineView(item: Pick<MediaItemDetail, 'chapters'>) {
  return {
    intro_marker: null,
    outro_marker: null,
    chapters: listChapters(item).map(chapterView),
    skip_button_spec: NO_MARKERS,
  }
}

type Tracks = { subtitles: readonly SubtitleTrack[]; signer: UrlSigner }

/** The pre-flight answer; no rendition has an address, since no job exists (document 4, 4.2). */
export function playbackInfoView(
  item: MediaItemDetail,
  { ladder, subtitles, signer }: Tracks & { ladder: readonly VideoRendition[] | null },
) {
  return {
    item_id: item.id,
    ...timeLineView(item),
    quality_ladder: ladder?.map((rendition) => renditionView(rendition, null)) ?? null,
    audio_tracks: audioTracks(item),
    subtitle_tracks: subtitles.map((track) => subtitleTrackView(item.id, track, signer)),
    crossfade: NO_CROSSFADE,
  }
}

/** What can be played, and how (document 4, 4.1; decisions 3.7). */
export function playbackView(
  item: MediaItemDetail,
  { capabilities, subtitles, signer }: Tracks & { capabilities: ClientCapabilities },
) {
  return {
    playback_info: {
      id: item.id,
      name: item.name,
      type: item.type,
      media_sources: item.path === null ? [] : [mediaSource({ ...item, path: item.path }, { capabilities, signer })],
      markers: NO_MARKERS,
      intro_marker: null,
      outro_marker: null,
      audio_tracks: audioTracks(item),
      subtitle_tracks: subtitles.map((track) => subtitleTrackView(item.id, track, signer)),
    },
  }
}

function mediaSource(
  item: MediaItemDetail & { path: string },
  { capabilities, signer }: { capabilities: ClientCapabilities; signer: UrlSigner },
) {
  const firstSound = item.streams.find((stream) => stream.type === 'audio')?.codec?.toLowerCase()
  const extension = extname(item.path).slice(1).toLowerCase()
  return {
    id: 'default',
    container: extension === '' ? (item.container?.split(',')[0] ?? null) : extension,
    path: item.path,
    direct_play: firstSound === undefined || capabilities.get(firstSound) !== false,
    stream_url: signer.signUrl(streamResource(item.id)),
    size: item.sizeBytes,
    bitrate: item.bitrate,
    streams: item.streams.map((stream) => streamView(item.id, stream)),
  }
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
