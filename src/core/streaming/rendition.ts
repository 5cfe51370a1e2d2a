import { z } from 'zod'

/** What becomes of the played sound track: its packets as they are, re-encoded, or there is none. */
const AudioHandling = z.enum(['copy', 'encode', 'none'])

/** Advertised average bandwidth; earlier releases had none. */
const AverageBitrate = z.int().positive().nullable().default(null)

/** The stored form of a rendition with a picture. */
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
  /** The picture is copied, hence cut at key frames of the source. The sound is decided independently of it. */
  isCopy: z.boolean(),
  /** Of the default sound track, which every picture carries. */
  audio: AudioHandling,
})

/** A sound track without a picture, of a film a further one: segments of the job's grid, always re-encoded. */
const AudioRenditionShape = z.strictObject({
  kind: z.literal('audio'),
  /** `a` and the number of the stream in the file: `a2`. */
  id: z.string().regex(/^a[0-9]+$/),
  label: z.string(),
  /** BCP 47 where it is known, else `und`. */
  language: z.string(),
  /** Of the source's stream. */
  streamIndex: z.int().nonnegative(),
  /** Advertised bandwidth: the peak of its segments. */
  bitrate: z.int().positive(),
  averageBitrate: AverageBitrate,
  codecs: z.string(),
})

export const RenditionShape = z.discriminatedUnion('kind', [VideoRenditionShape, AudioRenditionShape])

/** One entry of a variants list (document 2, Rendition), without its address; bit rates in bits per second. */
export type VideoRendition = Readonly<z.infer<typeof VideoRenditionShape>>

export type AudioRendition = Readonly<z.infer<typeof AudioRenditionShape>>

/** Whatever of a job has a media playlist and segments of its own. */
export type Rendition = VideoRendition | AudioRendition

/** Those with a picture, in their order: what variants lists show. */
export function videoRenditions(renditions: readonly Rendition[]): VideoRendition[] {
  return renditions.filter((rendition) => rendition.kind === 'video')
}

/** Those that players begin with and move between: the pictures; the played sound track where there is none. */
export function playedRenditions(renditions: readonly Rendition[]): Rendition[] {
  const pictures = videoRenditions(renditions)
  return pictures.length > 0 ? pictures : renditions.slice(0, 1)
}
