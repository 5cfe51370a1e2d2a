import { STREAM_CLOCK_ORIGIN } from './encode-arguments.ts'
import { frameTime, segmentFrames, type FrameGrid } from './frame-grid.ts'
import { readTransportStream, type StreamUnit } from './transport-stream.ts'

const STREAM_TICKS_PER_SECOND = 90_000

/**
 * What is wrong with the bytes of a freshly made segment, or undefined: it must be whole packets, begin with a key
 * frame at exactly its place on the grid, and hold exactly its frames, because it will be served as immutable from then
 * on.
 */
export function findSegmentFault(
  bytes: Uint8Array,
  expected: { grid: FrameGrid; index: number; hasAudio: boolean },
): string | undefined {
  const stream = readTransportStream(bytes)
  if (stream === undefined) return 'it is not a transport stream'
  const { first, end } = segmentFrames(expected.grid, expected.index)
  if (stream.video.length !== end - first) return `it has ${stream.video.length} frames, not ${end - first}`
  const fault = findStartFault(stream.video[0], firstPts(expected.grid, first))
  if (fault !== undefined) return fault
  return expected.hasAudio && stream.audio.length === 0 ? 'it has no sound' : undefined
}

function firstPts(grid: FrameGrid, frame: number): number {
  const ticks = frameTime(grid.frameRate, { frame, unitsPerSecond: STREAM_TICKS_PER_SECOND, rounding: 'nearest' })
  return STREAM_CLOCK_ORIGIN + ticks
}

function findStartFault(unit: StreamUnit | undefined, expectedPts: number): string | undefined {
  if (unit?.isRandomAccess !== true) return 'it does not begin with a key frame'
  // One tick of difference comes from rounding the frame and the offset one after the other.
  const wrapped = expectedPts % 2 ** 33
  return Math.abs(unit.pts - wrapped) > 1 ? `it begins at ${unit.pts}, not at ${wrapped}` : undefined
}
