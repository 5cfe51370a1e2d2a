import { z } from 'zod'

/** The types of extras in the API, in display order. */
export const EXTRA_WIRE_TYPES = [
  'trailer',
  'featurette',
  'behind_the_scenes',
  'interview',
  'deleted_scene',
  'clip',
] as const

export type ExtraWireType = (typeof EXTRA_WIRE_TYPES)[number]

const QUALITIES = [480, 720, 1080, 2160] as const

export type VideoQuality = (typeof QUALITIES)[number]

/** The JSON of a stored extra. */
export const ExtraShape = z.strictObject({
  /** UUID; for a file, the id of its own item. */
  id: z.string(),
  title: z.string(),
  type: z.enum(EXTRA_WIRE_TYPES),
  durationSeconds: z.int().nonnegative().nullable(),
  quality: z.literal(QUALITIES),
  /** Absolute path of a local extra; null for one at a provider. */
  path: z.string().nullable(),
  /** URL of an extra at a provider; null for a local extra, which is played by its id. */
  url: z.string().nullable(),
})

/** A trailer or another extra of an item. */
export type Extra = Readonly<z.infer<typeof ExtraShape>>

export function isTrailer({ type }: Extra): boolean {
  return type === 'trailer'
}

/**
 * The resolution class of a video: the highest that it reaches in either direction, because wide films have fewer lines. Unknown: the
 * most common class.
 */
export function videoQuality({ width, height }: { width: number | null; height: number | null }): VideoQuality {
  if (width === null || height === null) return DEFAULT_QUALITY
  const lines = Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16)
  // A few lines are often cropped.
  return QUALITIES.findLast((quality) => lines >= quality * 0.95) ?? QUALITIES[0]
}

export const DEFAULT_QUALITY: VideoQuality = 1080
