import { chapterPictureResource } from '../../../core/analysis/index.ts'
import type { MediaItemDetail } from '../../../core/catalogue/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import {
  subtitleResource,
  type OtherSubtitleTrack,
  type SubtitleCandidate,
  type SubtitleTrack,
} from '../../../core/subtitles/index.ts'
import type { NamedChapter } from '../../../core/tracks/index.ts'
import { chapterView } from '../../../core/views/index.ts'

/** A track with the signed URL of its text. Cue times are relative to the file. */
export function subtitleTrackView(itemId: string, track: SubtitleTrack, signer: UrlSigner) {
  return {
    ...factsOf(track),
    url: signer.signUrl(subtitleResource({ itemId, index: track.index })),
  }
}

/** A text of a provider. */
export function candidateView(candidate: SubtitleCandidate) {
  return {
    provider: candidate.provider,
    downloadId: candidate.downloadId,
    language: candidate.language,
    releaseName: candidate.releaseName,
    format: candidate.format,
    matchedBy: candidate.matchedBy,
    rating: candidate.rating,
    downloadCount: candidate.downloadCount,
    hearingImpaired: candidate.isHearingImpaired,
    fps: candidate.framesPerSecond,
  }
}

/** A track without text, with the reason. */
export function otherTrackView(track: OtherSubtitleTrack) {
  return { ...factsOf(track), reason: track.reason, message: track.message, can_be_drawn: track.canBeBurnedIn }
}

function factsOf(track: SubtitleTrack) {
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
  }
}

/** A chapter of an item with the address of its picture. */
export function pictureChapterView(
  { id, streams }: MediaItemDetail,
  { chapter, number }: { chapter: NamedChapter; number: number },
  signer: UrlSigner,
) {
  const isFilm = streams.some(({ type }) => type === 'video')
  const thumbnailUrl = isFilm ? signer.signUrl(chapterPictureResource(id, number)) : null
  return { ...chapterView(chapter), thumbnail_url: thumbnailUrl }
}
