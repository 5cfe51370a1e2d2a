import { z } from 'zod'

/** Treatment of the played audio track: copied, re-encoded, or absent. */
const AudioHandling = z.enum(['copy', 'encode', 'none'])

/** Advertised average bandwidth; null in jobs of earlier releases. */
const AverageBitrate = z.int().positive().nullable().default(null)

/** The JSON of a stored video rendition. */
export const VideoRenditionShape = z.strictObject({
  kind: z.literal('video'),
  id: z.string().regex(/^[a-z0-9]+$/),
  label: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  /** Advertised bandwidth: the peak of its segments. */
  bitrate: z.int().positive(),
  averageBitrate: AverageBitrate,
  videoBitrate: z.int().positive(),
  codecs: z.string(),
  isOriginal: z.boolean(),
  /** Whether the video is copied, and therefore cut at key frames of the source. Audio is decided independently. */
  isCopy: z.boolean(),
  /** Treatment of the default audio track, which is part of every video rendition. */
  audio: AudioHandling,
})

/** An audio-only rendition, or an additional audio track of a film: segments of the job's grid, always re-encoded. */
const AudioRenditionShape = z.strictObject({
  kind: z.literal('audio'),
  /** `a` and the index of the stream in the file: `a2`. */
  id: z.string().regex(/^a[0-9]+$/),
  label: z.string(),
  /** BCP 47, or `und` if unknown. */
  language: z.string(),
  /** Index of the source stream. */
  streamIndex: z.int().nonnegative(),
  /** Advertised bandwidth: the peak of its segments. */
  bitrate: z.int().positive(),
  averageBitrate: AverageBitrate,
  codecs: z.string(),
})

export const RenditionShape = z.discriminatedUnion('kind', [VideoRenditionShape, AudioRenditionShape])

/** An entry of the list of variants, without its address; bit rates in bits per second. */
export type VideoRendition = Readonly<z.infer<typeof VideoRenditionShape>>

export type AudioRendition = Readonly<z.infer<typeof AudioRenditionShape>>

/** A part of a job with its own media playlist and segments. */
export type Rendition = VideoRendition | AudioRendition

/** Returns the video renditions in order, as variants lists show them. */
export function listVideoRenditions(renditions: readonly Rendition[]): VideoRendition[] {
  return renditions.filter((rendition) => rendition.kind === 'video')
}

/** Returns the renditions that players switch between: the video renditions, or the played audio track without video. */
export function listPlayedRenditions(renditions: readonly Rendition[]): Rendition[] {
  const pictures = listVideoRenditions(renditions)
  return pictures.length > 0 ? pictures : renditions.slice(0, 1)
}
