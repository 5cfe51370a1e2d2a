/** Parts of a film that players offer to skip. */
export const MARKER_TYPES = ['intro', 'recap', 'preview', 'outro'] as const

export type MarkerType = (typeof MARKER_TYPES)[number]

/** How a marker was found: chapter names, sound that a season shares, pictures of the credits, or an administrator. */
export const MARKER_SOURCES = ['chapters', 'sound', 'picture', 'manual'] as const

export type MarkerSource = (typeof MARKER_SOURCES)[number]

/** A part of a film, in milliseconds from the start of the film. */
export type Marker = Readonly<{
  type: MarkerType
  startMilliseconds: number
  endMilliseconds: number
  source: MarkerSource
  /** 0 to 1. */
  confidence: number
}>
