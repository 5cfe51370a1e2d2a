import { extname } from 'node:path'
import type { Marker } from '../../../core/analysis/index.ts'
import type { MediaItemDetail } from '../../../core/catalogue/index.ts'
import { computeFileStreamNeeds } from '../../../core/playback-limits/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { hasBrowserPlayableExtension, type Guest, type Share, type SharedItem } from '../../../core/shares/index.ts'
import {
  MASTER_PLAYLIST_NAME,
  subtitleName,
  type TranscodeProgress,
  type VideoRendition,
} from '../../../core/streaming/index.ts'
import type { SubtitleTrack } from '../../../core/subtitles/index.ts'
import { listAudioTracks, listChapters } from '../../../core/tracks/index.ts'
import { chapterView, markerView, sharedItemView } from '../../../core/views/index.ts'
import { TRICKPLAY_NAMES } from '../../../core/analysis/index.ts'
import { variantView } from '../transcodes/transcodes.view.ts'

/**
 * The views for guests. They are not made from the views of accounts, so that a field that is added there does not become public. No paths,
 * people, parents, libraries or related items.
 */

/** The address of something of an item of a link. */
export function guestItemPath({ shareId }: Pick<Guest, 'shareId'>, itemId: string, name: string): string {
  return `/s/${shareId}/items/${itemId}/${name}`
}

/** A link that a browser has opened. */
export function openedView({ id, expiresAt }: Pick<Share, 'id' | 'expiresAt'>) {
  return { id, expires_at: toIsoTimestamp(expiresAt) }
}

/** A link and its entries. */
export function guestListView(guest: Guest, { share, items }: { share: Share; items: readonly SharedItem[] }) {
  return {
    kind: share.kind,
    title: share.title,
    expires_at: toIsoTimestamp(share.expiresAt),
    allow_download: guest.allowsDownload,
    items: items.map((item) => ({
      ...sharedItemView(item),
      picture_url: guestItemPath(guest, item.id, 'picture'),
      download_url: guest.allowsDownload ? guestItemPath(guest, item.id, 'download') : null,
    })),
  }
}

type Facts = {
  parts: readonly MediaItemDetail[]
  markers: readonly Marker[]
  ladder: readonly VideoRendition[] | null
  subtitles: readonly SubtitleTrack[]
  hasStoryboard: boolean
  maxKbps: number | null
}

/** What a player needs before an item plays. */
export function guestPlaybackView(guest: Guest, item: MediaItemDetail, facts: Facts) {
  const { parts, markers, ladder, subtitles, hasStoryboard, maxKbps } = facts
  const isDirect = item.path !== null && (guest.allowsDownload || hasBrowserPlayableExtension(item.path))
  return {
    item_id: item.id,
    stream_url: isDirect ? guestItemPath(guest, item.id, 'stream') : null,
    container: item.path === null ? null : extname(item.path).slice(1).toLowerCase(),
    streams: item.streams.map(({ type, codec }) => ({ stream_type: type, codec })),
    part_count: parts.length,
    chapters: listChapters(item, parts).map(chapterView),
    markers: markers.map(markerView),
    storyboard_url: hasStoryboard ? `/s/${guest.shareId}/trickplay/${item.id}/${TRICKPLAY_NAMES.storyboard}` : null,
    quality_ladder: ladder?.map((rendition) => variantView(rendition, null)) ?? null,
    max_kbps: maxKbps,
    file_kbps: computeFileStreamNeeds({ ...item, durationSeconds: item.fileSeconds }).kbps,
    audio_tracks: listAudioTracks(item).map(({ streamIndex, label, language, isDefault }) => ({
      stream_index: streamIndex,
      label,
      language,
      default: isDefault,
    })),
    subtitle_tracks: subtitles.map((track) =>
      subtitleView(track, guestItemPath(guest, item.id, `subtitles/${track.index}`)),
    ),
  }
}

/** A stream that was started. The addresses in its playlists are relative. */
export function guestTranscodeView(guest: Guest, { job, subtitles }: TranscodeProgress) {
  const folder = `/s/${guest.shareId}/hls/${job.id}/`
  return {
    job_id: job.id,
    master_url: `${folder}${MASTER_PLAYLIST_NAME}`,
    subtitles: subtitles.map((track) => subtitleView(track, `${folder}${subtitleName(track.index)}`)),
  }
}

function subtitleView(
  { index, language, label, isDefault }: Pick<SubtitleTrack, 'index' | 'language' | 'label' | 'isDefault'>,
  url: string,
) {
  return { index, language, label, default: isDefault, url }
}
