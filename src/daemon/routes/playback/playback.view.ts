import { extname } from 'node:path'
import type { MediaItemDetail, MediaStream } from '../../../core/catalogue/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { VideoRendition } from '../../../core/streaming/index.ts'
import { streamResource, streamView } from '../media/media.view.ts'
import { renditionView } from '../transcodes/transcodes.view.ts'
import type { ClientCapabilities } from './client-capabilities.ts'

/** Nothing detects intros yet; null hides the buttons (document 2, Skip markers on the client). */
export const NO_MARKERS = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }
const NO_CROSSFADE = { enabled: false, duration: 0, fade_out: 0, fade_in: 0 }

/** The pre-flight answer; no rendition has an address, since no job exists (document 4, 4.2). */
export function playbackInfoView(item: MediaItemDetail, ladder: readonly VideoRendition[] | null) {
  return {
    item_id: item.id,
    intro_marker: null,
    outro_marker: null,
    chapters: item.chapters.map(({ startSeconds, endSeconds, title }) => ({
      start_seconds: startSeconds,
      end_seconds: endSeconds,
      title,
    })),
    skip_button_spec: NO_MARKERS,
    quality_ladder: ladder?.map((rendition) => renditionView(rendition, null)) ?? null,
    audio_tracks: audioTracks(item.streams),
    subtitle_tracks: [],
    crossfade: NO_CROSSFADE,
  }
}

/** What can be played, and how (document 4, 4.1; decisions 3.7). */
export function playbackView(
  item: MediaItemDetail,
  { capabilities, signer }: { capabilities: ClientCapabilities; signer: UrlSigner },
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
      audio_tracks: audioTracks(item.streams),
      subtitle_tracks: [],
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

/** Exactly one track is the default: the first that the file says so of, else the first. */
function audioTracks(streams: readonly MediaStream[]) {
  const tracks = streams.filter((stream) => stream.type === 'audio')
  const defaultTrack = tracks.find((track) => track.isDefault) ?? tracks[0]
  return tracks.map((track, index) => ({
    id: track.id,
    index,
    stream_index: track.index,
    codec: track.codec,
    language: track.language ?? 'und',
    channels: track.channels,
    bitrate: track.bitrate,
    title: track.title,
    default: track === defaultTrack,
  }))
}
