import type { Rendition } from '../job/rendition.ts'
import type { StreamJob } from '../job/stream-job.ts'

/** Segment numbers; both ends are inclusive. */
export type SegmentRange = Readonly<{ first: number; last: number }>

/** One run of ffmpeg: the segments to make, and how many seconds before the first one reading begins at least. */
export type EncodeRun = Readonly<{
  job: StreamJob
  rendition: Rendition
  range: SegmentRange
  seekMarginSeconds: number
}>

/** Arguments for ffmpeg: `before` precede the input, `after` follow it and precede the output. */
export type EncodeArgs = { before: string[]; after: string[] }
