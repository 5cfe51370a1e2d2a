import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { subtitleResource, type SubtitleTrack } from '../../../core/subtitles/index.ts'
import type { NamedChapter } from '../../../core/tracks/index.ts'

/** A track with the signed address of its text, on the clock of the file (document 4, 4.2 and section 8). */
export function subtitleTrackView(itemId: string, track: SubtitleTrack, signer: UrlSigner) {
  return {
    id: track.id,
    index: track.index,
    stream_index: track.streamIndex,
    language: track.language,
    label: track.label,
    title: track.title,
    codec: track.codec,
    source: track.source,
    default: track.isDefault,
    forced: track.isForced,
    hearing_impaired: track.isHearingImpaired,
    url: signer.signUrl(subtitleResource({ itemId, index: track.index })),
  }
}

export function chapterView({ startSeconds, endSeconds, title }: NamedChapter) {
  return { start_seconds: startSeconds, end_seconds: endSeconds, title }
}
