import { audioWindow, countPackets, AUDIO_SAMPLE_RATE, SAMPLES_PER_PACKET } from '../timeline/audio-timeline.ts'
import { renditionAudioTrack } from './encode-arguments.ts'
import { frameTime, segmentCount, segmentFrameRange } from '../timeline/segment-timeline.ts'
import { segmentSpanMicroseconds } from '../timeline/rendition-segments.ts'
import type { Rendition } from '../job/rendition.ts'
import type { StreamPlan } from '../job/stream-plan.ts'
import { streamClockOrigin, STREAM_TICKS_PER_SECOND } from '../timeline/stream-clock.ts'
import type { StreamUnit, TransportStream } from './transport-stream.ts'

const TICKS_PER_MICROSECOND = STREAM_TICKS_PER_SECOND / 1_000_000
const TICKS_PER_AUDIO_PACKET = (SAMPLES_PER_PACKET * STREAM_TICKS_PER_SECOND) / AUDIO_SAMPLE_RATE
/** Timestamps have 33 bits. */
const CLOCK_CYCLE = 2 ** 33

/**
 * Returns the fault of a new segment, or undefined. A segment must begin exactly at its position, with a key frame if it has video, and
 * be complete, because it will be served as immutable.
 */
export function findSegmentDefect(
  stream: TransportStream | undefined,
  expected: { job: StreamPlan; rendition: Rendition; index: number },
): string | undefined {
  if (stream === undefined) return 'it is not a transport stream'
  const { rendition } = expected
  if (rendition.kind === 'audio') return findAudioFault(stream, expected)
  if (rendition.isCopy) return findCopyFault(stream, expected)
  const { job, index } = expected
  const { first, end } = segmentFrameRange(job.grid, index)
  if (stream.video.length !== end - first) return `it has ${stream.video.length} frames, not ${end - first}`
  // One tick of difference results from rounding the frame and the offset separately.
  const fault = findStartFault(stream.video[0], { pts: firstPts(job, first), tolerance: 1 })
  return fault ?? (renditionAudioTrack(job, rendition) === undefined ? undefined : findAudioFault(stream, expected))
}

function firstPts(job: StreamPlan, frame: number): number {
  const ticks = frameTime(job.grid.frameRate, { frame, unitsPerSecond: STREAM_TICKS_PER_SECOND, rounding: 'nearest' })
  return streamClockOrigin(job) + ticks
}

function findStartFault(unit: StreamUnit | undefined, place: { pts: number; tolerance: number }): string | undefined {
  if (unit?.isRandomAccess !== true) return 'it does not begin with a key frame'
  const wrapped = place.pts % CLOCK_CYCLE
  return Math.abs(unit.pts - wrapped) > place.tolerance ? `it begins at ${unit.pts}, not at ${wrapped}` : undefined
}

/** Encoded audio must have exactly the packets of its grid. The last segment may have more, because the encoder flushes its buffer. */
function findAudioFault(
  { audio, audioPackets, isAudioCut }: TransportStream,
  { job, index }: { job: StreamPlan; index: number },
): string | undefined {
  if (audioPackets === 0) return 'it has no sound'
  if (isAudioCut) return 'its sound is cut off'
  const { grid, startMicroseconds } = job
  const window = audioWindow(grid, { first: index, last: index, isContinued: startMicroseconds > 0 })
  const begins = streamClockOrigin(job) + Math.ceil(window.keepFrom / SAMPLES_PER_PACKET) * TICKS_PER_AUDIO_PACKET
  if (Math.abs((audio[0]?.pts ?? 0) - (begins % CLOCK_CYCLE)) > 1)
    return `its sound begins at ${audio[0]?.pts}, not at ${begins}`
  const count = countPackets(window)
  const isLast = index === segmentCount(grid) - 1
  if (audioPackets === count || (isLast && audioPackets > count)) return undefined
  return `it has ${audioPackets} packets of sound, not ${count}`
}

/**
 * Only the beginning of a copied segment is known in advance: frame durations may vary and frames may be missing. The encoder reports a
 * piece only after it has begun the next piece, so the reported piece is complete.
 */
function findCopyFault(
  stream: TransportStream,
  { job, rendition, index }: { job: StreamPlan; rendition: Rendition; index: number },
): string | undefined {
  const { start } = segmentSpanMicroseconds(job, rendition, index)
  const halfFrame = job.copy?.halfFrameMicroseconds ?? 0
  return findStartFault(stream.video[0], {
    pts: streamClockOrigin(job) + Math.round(start * TICKS_PER_MICROSECOND),
    tolerance: Math.ceil(halfFrame * TICKS_PER_MICROSECOND),
  })
}
