import { z } from 'zod'

/** In the order in which they are shown. */
export const WIRE_TYPES = ['trailer', 'featurette', 'behind_the_scenes', 'interview', 'deleted_scene', 'clip'] as const

export type WireType = (typeof WIRE_TYPES)[number]

const QUALITIES = [480, 720, 1080, 2160] as const

export type Quality = (typeof QUALITIES)[number]

/** The stored form of an extra. */
export const ExtraShape = z.strictObject({
  /** UUID; of a file, the id of its own item. */
  id: z.string(),
  title: z.string(),
  type: z.enum(WIRE_TYPES),
  durationSeconds: z.int().nonnegative().nullable(),
  quality: z.literal(QUALITIES),
  /** Absolute path of a local one; null for one at a provider. */
  path: z.string().nullable(),
  /** Where one at a provider is watched; null for a local one, which is played by its id. */
  url: z.string().nullable(),
})

/** A trailer of something, or what else belongs to it (document 2, Extra / trailer). */
export type Extra = Readonly<z.infer<typeof ExtraShape>>

export function isTrailer({ type }: Extra): boolean {
  return type === 'trailer'
}

/**
 * The class of resolution of a picture: the highest that it reaches in either direction, since wide films have fewer lines. Unknown: what
 * is usual.
 */
export function qualityOf({ width, height }: { width: number | null; height: number | null }): Quality {
  if (width === null || height === null) return USUAL_QUALITY
  const lines = Math.max(Math.min(width, height), (Math.max(width, height) * 9) / 16)
  // A few lines are often cut away.
  return QUALITIES.findLast((quality) => lines >= quality * 0.95) ?? QUALITIES[0]
}

export const USUAL_QUALITY: Quality = 1080
