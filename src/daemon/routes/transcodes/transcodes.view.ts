import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import {
  jobResource,
  MASTER_PLAYLIST_NAME,
  mediaPlaylistName,
  subtitleName,
  type StreamSubtitle,
  type TranscodeJob,
  type TranscodeProgress,
  type VideoRendition,
} from '../../../core/streaming/index.ts'
import { renditionView } from '../../../core/views/index.ts'

/**
 * The signed URL of a job's master playlist.
 * @param subtitle index of the default subtitle track of this user; not covered by the signature, because any value is allowed
 */
export function masterUrl(jobId: string, subtitle: number | null, signer: UrlSigner): string {
  const resource = jobResource(jobId)
  const address = signer.signUrl(`${resource}${MASTER_PLAYLIST_NAME}`, resource)
  return subtitle === null ? address : `${address}&sub=${subtitle}`
}

/** An entry of the variants list. `url` is null without a job. */
export function variantView(rendition: VideoRendition, url: string | null) {
  return { ...renditionView(rendition), url }
}

/** The common part of the replies to the start and to the status of a job. */
export function transcodeView(progress: TranscodeProgress, chosen: number | null, signer: UrlSigner) {
  const { job } = progress
  const address = masterUrl(job.id, chosen, signer)
  const subtitles = progress.subtitles.map((subtitle) => subtitleView(job.id, subtitle, signer))
  return {
    job_id: job.id,
    status: progress.status,
    master_url: address,
    hls_url: address,
    playlist_ready: progress.isPlaylistReady,
    segments: progress.encodedSegments,
    progress: progress.percent,
    subtitles,
    subtitle_tracks: subtitles,
    variants: variantsView(job, signer),
  }
}

/** Clients read `subtitles` or `subtitle_tracks`. */
function subtitleView(jobId: string, subtitle: StreamSubtitle, signer: UrlSigner) {
  const resource = jobResource(jobId)
  return {
    index: subtitle.index,
    language: subtitle.language,
    label: subtitle.label,
    default: subtitle.isDefault,
    forced: subtitle.isForced,
    hearing_impaired: subtitle.isHearingImpaired,
    url: signer.signUrl(`${resource}${subtitleName(subtitle.index)}`, resource),
  }
}

function variantsView({ id, variants }: TranscodeJob, signer: UrlSigner) {
  if (variants === null) return null
  const resource = jobResource(id)
  return variants.map((rendition) =>
    variantView(rendition, signer.signUrl(`${resource}${mediaPlaylistName(rendition.id)}`, resource)),
  )
}
