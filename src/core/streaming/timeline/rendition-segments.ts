import { frameTime, segmentCount, segmentFrameRange } from './segment-timeline.ts'
import type { Rendition } from '../job/rendition.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

type Plan = Pick<StreamPlan, 'grid' | 'copy'>

/** Returns the number of segments of a rendition, from the key frames if its video is copied, otherwise from the grid. */
export function renditionSegmentCount(job: Plan, rendition: Rendition): number {
  return copyOf(job, rendition)?.boundariesMicroseconds.length ?? segmentCount(job.grid)
}

/**
 * Returns the start and end of a segment, in whole microseconds after the first video frame. Each end is the next start, so durations add
 * up without drift. Playlists contain these times, and encoders cut by them.
 * @param index below `renditionSegmentCount`
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
  const { first, end } = segmentFrameRange(job.grid, index)
  const at = (frame: number): number =>
    frameTime(job.grid.frameRate, { frame, unitsPerSecond: MICROSECONDS_PER_SECOND, rounding: 'nearest' })
  return { start: at(first), end: at(end) }
}

function copyOf({ copy }: Plan, rendition: Rendition): StreamPlan['copy'] {
  return rendition.kind === 'video' && rendition.isCopy ? copy : null
}
