import type { Rendition } from '../job/rendition.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

/** Segment numbers; both ends are inclusive. */
export type SegmentRange = Readonly<{ first: number; last: number }>

/** A run of ffmpeg: the segments to make, and the minimum number of seconds before the first segment at which reading begins. */
export type EncodeRun = Readonly<{
  job: StreamPlan
  rendition: Rendition
  range: SegmentRange
  seekMarginSeconds: number
}>

/** Arguments for ffmpeg: `before` precede the input, `after` follow it and precede the output. */
export type EncodeArguments = { before: string[]; after: string[] }
