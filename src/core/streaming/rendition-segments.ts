import { frameTime, segmentCount, segmentFrames } from './segment-timeline.ts'
import type { Rendition } from './rendition.ts'
import type { StreamJob } from './stream-job.ts'

const MICROSECONDS = 1_000_000

type Plan = Pick<StreamJob, 'grid' | 'copy'>

/** How many segments a rendition has: those of the key frames where its picture is copied, else those of the grid. */
export function segmentCountOf(job: Plan, rendition: Rendition): number {
  return copyOf(job, rendition)?.boundariesMicroseconds.length ?? segmentCount(job.grid)
}

/**
 * When one segment of a rendition begins and ends, in whole microseconds after the first video frame. Ends are the next
 * one's beginnings, so lengths add up to the whole without drift. Playlists say these times, and encoders cut by them.
 * @param index below `segmentCountOf`
 */
export function segmentSpanMicroseconds(
  job: Plan,
  rendition: Rendition,
  index: number,
): { start: number; end: number } {
  const copy = copyOf(job, rendition)
  if (copy !== null) {
    const { boundariesMicroseconds: boundaries, endMicroseconds } = copy
    return { start: boundaries[index] ?? endMicroseconds, end: boundaries[index + 1] ?? endMicroseconds }
  }
  const { first, end } = segmentFrames(job.grid, index)
  const at = (frame: number): number =>
    frameTime(job.grid.frameRate, { frame, unitsPerSecond: MICROSECONDS, rounding: 'nearest' })
  return { start: at(first), end: at(end) }
}

function copyOf({ copy }: Plan, rendition: Rendition): StreamJob['copy'] {
  return rendition.kind === 'video' && rendition.isCopy ? copy : null
}
