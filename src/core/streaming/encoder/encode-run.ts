import type { Rendition } from '../job/rendition.ts'
import type { StreamJob } from '../job/stream-job.ts'

/** Segment numbers; both ends are inclusive. */
export type SegmentRange = Readonly<{ first: number; last: number }>

/** A run of ffmpeg: the segments to make, and the minimum number of seconds before the first segment at which reading begins. */
export type EncodeRun = Readonly<{
  job: StreamJob
  rendition: Rendition
  range: SegmentRange
  seekMarginSeconds: number
}>

/** Arguments for ffmpeg: `before` precede the input, `after` follow it and precede the output. */
export type EncodeArgs = { before: string[]; after: string[] }
