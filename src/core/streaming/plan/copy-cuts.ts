import type { StreamIndex } from '../../probing/index.ts'
import { framesPerSecond, frameTime, type SegmentTimeline } from '../timeline/segment-timeline.ts'
import { MAX_SEGMENTS } from '../job/segment-name.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** Nominal duration of a segment. */
const SEGMENT_MICROSECONDS = 6 * MICROSECONDS_PER_SECOND
/** A longer segment delays the start of playback, and a single such segment fills the buffer of a player. */
const MAX_SEGMENT_MICROSECONDS = 30 * MICROSECONDS_PER_SECOND
/** Video may end at most this much before the end of the film. Players stop where the video ends. */
const MAX_TAIL_MICROSECONDS = 6 * MICROSECONDS_PER_SECOND
/** Timestamps that differ by at most this much are treated as equal: containers round them to a millisecond or to a finer unit. */
const SAME_TIME_MICROSECONDS = 1000

/**
 * Returns the cuts of copied video: the first key frame in each interval of six seconds; intervals begin at the first frame. Pure.
 * @param film.videoStartMicroseconds the time of the first frame, on the clock of the index (the timestamps of the file)
 * @param film.timeline the segments of the encoded renditions; the copy has the same duration
 * @returns null if a copy is not possible: the first frame is not a key frame, key frames are more than 30 s apart, there are more
 * than `MAX_SEGMENTS` segments, timestamps jump (a copy would keep the jumps), or the video ends before the film
 */
export function computeCopyCuts(
  index: StreamIndex,
  film: { videoStreamIndex: number; videoStartMicroseconds: number; timeline: SegmentTimeline },
): NonNullable<StreamPlan['copy']> | null {
  const { videoStartMicroseconds: zero } = film
  const [first] = index.keyFrameMicroseconds
  if (index.streamIndex !== film.videoStreamIndex || first === undefined || index.jumps.length > 0) return null
  if (Math.abs(first - zero) > SAME_TIME_MICROSECONDS || index.endMicroseconds <= zero) return null
  const { frameRate, frameCount: frame } = film.timeline
  const end = frameTime(frameRate, { frame, unitsPerSecond: MICROSECONDS_PER_SECOND, rounding: 'nearest' })
  if (end - (index.endMicroseconds - zero) > MAX_TAIL_MICROSECONDS) return null
  const boundaries = [0]
  for (const keyFrame of index.keyFrameMicroseconds) {
    const at = keyFrame - zero
    if (at >= nextNominalCut(boundaries.at(-1) ?? 0) && at < end && keyFrame < index.endMicroseconds)
      boundaries.push(at)
  }
  const isTooLong = boundaries.some((at, index) => (boundaries[index + 1] ?? end) - at > MAX_SEGMENT_MICROSECONDS)
  if (isTooLong || boundaries.length > MAX_SEGMENTS) return null
  return {
    boundariesMicroseconds: boundaries,
    endMicroseconds: end,
    halfFrameMicroseconds: Math.max(1, Math.floor(MICROSECONDS_PER_SECOND / framesPerSecond(frameRate) / 2)),
  }
}

/** Returns the next multiple of six seconds after a cut. */
function nextNominalCut(cut: number): number {
  return (Math.floor(cut / SEGMENT_MICROSECONDS) + 1) * SEGMENT_MICROSECONDS
}
