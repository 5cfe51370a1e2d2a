import { z } from 'zod'
import type { MediaItemDetail } from '../../catalogue/index.ts'
import { isDecodedPicture } from '../../platform/media-tools/index.ts'
import { languageTag, listAudioTracks } from '../../tracks/index.ts'
import type { FeatureOutcome } from '../film/analysed-file.ts'

/** The stream to read, or the result for a film without a readable stream. */
export type StreamChoice<Stream> = Readonly<{ stream: Stream; result: null } | { stream: null; result: FeatureOutcome }>

export type FilmVideo = Readonly<{
  /** Position among all streams of the file, as ffmpeg counts. */
  streamIndex: number
  hdrTransfer: 'smpte2084' | 'arib-std-b67' | null
  /** The shown key frames can be selected before they are decoded. */
  isSelectable: boolean
}>

export type FilmSound = Readonly<{
  streamIndex: number
  /** BCP 47; null if unknown. */
  language: string | null
}>

/** The part of the stored source profile that the reading needs. */
const StoredProfile = z.object({
  videoStreamIndex: z.int().nonnegative(),
  colorTransfer: z.string().nullable(),
  rotationDegrees: z.number().default(0),
})

/** The only codec for which it is known that a key frame can be decoded without the frames before it. */
const SELECTABLE_CODEC = 'h264'

type Film = Pick<MediaItemDetail, 'streams' | 'metadata'>

/** The video of a film; covers, which are stored as attachments, are not. Pure. */
export function chooseVideoStream({ streams, metadata }: Film): StreamChoice<FilmVideo> {
  const profile = StoredProfile.safeParse(metadata['source']).data
  const videos = streams.filter(({ type }) => type === 'video')
  const video = videos.find(({ index }) => index === profile?.videoStreamIndex) ?? videos[0]
  if (video === undefined) return without('none', 'the film has no video')
  if (!isDecodedPicture(video.codec)) return without('failed', `${video.codec} is not decoded`)
  const own = profile?.videoStreamIndex === video.index ? profile : undefined
  const transfer = own?.colorTransfer ?? null
  const hdrTransfer = transfer === 'smpte2084' || transfer === 'arib-std-b67' ? transfer : null
  // Selecting packets does not preserve the rotation of a video.
  const isSelectable = own?.rotationDegrees === 0 && video.codec === SELECTABLE_CODEC
  return { stream: { streamIndex: video.index, hdrTransfer, isSelectable }, result: null }
}

/**
 * The audio track in a language, else the default one. Pure.
 * @param language in any form that files have (`ger`, `de`, `German`); null for the default track
 */
export function chooseAudioStream(film: Pick<Film, 'streams'>, language: string | null): StreamChoice<FilmSound> {
  const tracks = listAudioTracks(film)
  const wanted = language === null ? undefined : languageTag(language)
  const track = tracks.find((one) => one.language === wanted) ?? tracks.find(({ isDefault }) => isDefault)
  if (track === undefined) return without('none', 'the film has no sound')
  const known = track.language === languageTag(null) ? null : track.language
  return { stream: { streamIndex: track.streamIndex, language: known }, result: null }
}

function without(outcome: 'none' | 'failed', reason: string): { stream: null; result: FeatureOutcome } {
  return { stream: null, result: { outcome, reason } }
}
