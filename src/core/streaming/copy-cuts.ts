import type { StreamIndex } from '../probing/index.ts'
import { framesPerSecond, frameTime, type SegmentTimeline } from './segment-timeline.ts'
import { MAX_SEGMENTS } from './segment-name.ts'
import type { StreamJob } from './stream-job.ts'

const MICROSECONDS = 1_000_000

/** Document 2, Limits: segment_seconds. */
const SEGMENT_MICROSECONDS = 6 * MICROSECONDS
/** What is longer keeps players waiting, and fills what they buffer with one segment. */
const MAX_SEGMENT_MICROSECONDS = 30 * MICROSECONDS
/** A picture may end so much before the film does: players stop where nothing comes any more. */
const MAX_TAIL_MICROSECONDS = 6 * MICROSECONDS
/** Containers round times to a millisecond at the most. */
const SAME_TIME_MICROSECONDS = 1000

/**
 * Where a copied picture is cut: at the first key frame of every six seconds, counted from the first frame (ladder rule
 * 12). Pure.
 * @param film.videoStartMicroseconds zero of the job, on the clock of the file like the index
 * @param film.grid of the encoded renditions: the copy lasts as long
 * @returns null where segments cannot begin with key frames: the first frame is none, they are more than 30 s apart, or
 *   there are more segments than names; where the clock jumps, which a copy would
 *   keep; where the film goes on without picture
 */
export function copyCuts(
  index: StreamIndex,
  film: { videoStreamIndex: number; videoStartMicroseconds: number; grid: SegmentTimeline },
): NonNullable<StreamJob['copy']> | null {
  const { videoStartMicroseconds: zero } = film
  const [first] = index.keyFrameMicroseconds
  if (index.streamIndex !== film.videoStreamIndex || first === undefined || index.jumps.length > 0) return null
  if (Math.abs(first - zero) > SAME_TIME_MICROSECONDS || index.endMicroseconds <= zero) return null
  const { frameRate, frameCount: frame } = film.grid
  const end = frameTime(frameRate, { frame, unitsPerSecond: MICROSECONDS, rounding: 'nearest' })
  if (end - (index.endMicroseconds - zero) > MAX_TAIL_MICROSECONDS) return null
  const boundaries = [0]
  for (const keyFrame of index.keyFrameMicroseconds) {
    const at = keyFrame - zero
    if (at >= nextNominal(boundaries.at(-1) ?? 0) && at < end && keyFrame < index.endMicroseconds) boundaries.push(at)
  }
  const isTooLong = boundaries.some((at, place) => (boundaries[place + 1] ?? end) - at > MAX_SEGMENT_MICROSECONDS)
  if (isTooLong || boundaries.length > MAX_SEGMENTS) return null
  return {
    boundariesMicroseconds: boundaries,
    endMicroseconds: end,
    halfFrameMicroseconds: Math.max(1, Math.floor(MICROSECONDS / framesPerSecond(frameRate) / 2)),
  }
}

/** The next multiple of six seconds after a cut. */
function nextNominal(cut: number): number {
  return (Math.floor(cut / SEGMENT_MICROSECONDS) + 1) * SEGMENT_MICROSECONDS
}
